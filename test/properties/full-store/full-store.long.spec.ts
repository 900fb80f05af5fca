import { admits, claimOf, consume, exhaust, KINDS, STORES } from './full-store.js';

const KEYS = 100_000;
/** A search reads 1 024 states, and each of them once. */
const LAP = Math.ceil(KEYS / 1_024);

// The fallback is the same store behind a wrapper: the short form runs it whole.
describe.each(STORES.slice(0, 1))('%s with its 100 000 keys', (_name, makeStore) => {
  it.each(KINDS)(
    'admits new keys while it holds one that does not deny, and forgets no denial (%s)',
    async (_kind, policy) => {
      const store = makeStore(KEYS);
      const denied = Array.from({ length: KEYS - 1 }, (_, number) => claimOf(policy, `denied ${number}`));
      for (const each of denied) await exhaust(store, each);
      await consume(store, claimOf(policy, 'used'));
      const search = Array.from({ length: LAP }, (_, number) => claimOf(policy, `first ${number}`));
      for (const each of search) await consume(store, each);

      const admitted: boolean[] = [];
      for (let number = 0; number < 2_000; number += 1) {
        admitted.push(await consume(store, claimOf(policy, `new ${number}`)));
      }

      expect(admitted.filter((each) => !each)).toEqual([]);
      let freed = 0;
      for (const each of denied) if (await admits(store, each)) freed += 1;
      expect(freed).toBe(0);
    },
    120_000,
  );
});
