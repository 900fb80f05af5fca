import * as fc from 'fast-check';

import { admits, claimOf, consume, exhaust, KINDS, STORES } from './full-store.js';

const KEYS = 1_000;

describe.each(STORES)('%s with its 1 000 keys', (_name, makeStore) => {
  it.each(KINDS)(
    'admits new keys while it holds one that does not deny, and forgets no denial (%s)',
    async (_kind, policy) => {
      const admitting = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: KEYS }));
      await fc.assert(
        fc.asyncProperty(admitting, async (count) => {
          const store = makeStore(KEYS);
          const denied = Array.from({ length: KEYS - count }, (_, number) => claimOf(policy, `denied ${number}`));
          for (const each of denied) await exhaust(store, each);
          for (let number = 0; number < count; number += 1) await consume(store, claimOf(policy, `used ${number}`));

          const fresh: boolean[] = [];
          for (let number = 0; number < 300; number += 1) {
            fresh.push(await consume(store, claimOf(policy, `new ${number}`)));
          }
          const forgotten: boolean[] = [];
          for (const each of denied) forgotten.push(await admits(store, each));

          expect([fresh.includes(false), forgotten.includes(true)]).toEqual([false, false]);
        }),
        { numRuns: 1 },
      );
    },
  );
});
