import { isDeepStrictEqual } from 'node:util';
import { createLimiter, memoryStore, type Store } from '@sluice/core';
import * as fc from 'fast-check';
import { newStoreOn, withRedisStore } from '../../support/redis-store.js';
import { RedisTwin } from '../twin/redis-twin.js';
import { keyInMemory, keyInRedis, MOVING_LIMITS, WINDOW, type Key, type MovingLimit } from './moving-limit.js';

/** Decades ahead, so that Redis expires nothing by itself. */
const START = 4_000_000_000_000_000;
const LIMITS = [1, 9, 10, 30, 60, 64, 65, 100, 900];

const requests = fc.array(
  fc.record({
    limit: fc.constantFrom(...LIMITS),
    share: fc.constantFrom(0, 0, 0.1, 0.5, 1),
    pause: fc.oneof(fc.constantFrom(0, 1, WINDOW / 100, WINDOW / 10), fc.integer({ min: 0, max: WINDOW / 4 })),
  }),
  { minLength: 2, maxLength: 60 },
);
type Requests = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

/** What a request costs: one unit, or a share of its limit. */
function costOf({ limit, share }: Requests[number], { name }: MovingLimit): number {
  const cost = Math.max(1, Math.floor(limit * share));
  // A bucket of a fixed size can hold no more, and a strike is one.
  return name === 'backoff' ? 1 : cost;
}

describe('A limit that moves', () => {
  const redis = withRedisStore();

  const kinds = MOVING_LIMITS.flatMap((kind): [string, MovingLimit, number, () => Key][] => [
    [`of ${kind.name}, in memory`, kind, 50, keyInMemory],
    [`of ${kind.name}, in Redis`, kind, 4, () => keyInRedis(new RedisTwin(redis.client))],
  ]);

  describe.each(kinds)('%s', (_name, kind, numRuns, newKey) => {
    it('admits at one moment at most what the highest limit allows', async () => {
      await fc.assert(
        fc.asyncProperty(requests, async (sent) => {
          const key = newKey();
          let admitted = 0;
          for (const each of sent)
            admitted += (await key.take(kind.policyAt(each.limit), costOf(each, kind), START)).charged;

          expect(admitted).toBeLessThanOrEqual(kind.atOnce(Math.max(...sent.map(({ limit }) => limit))));
        }),
        { numRuns },
      );
    });

    it('admits in any window at most what the highest limit allows', async () => {
      await fc.assert(
        fc.asyncProperty(requests, async (sent) => {
          const key = newKey();
          const admitted: { at: number; units: number }[] = [];
          let now = START;
          for (const each of sent) {
            now += each.pause;
            const { charged } = await key.take(kind.policyAt(each.limit), costOf(each, kind), now);
            admitted.push({ at: now, units: charged });
          }

          const most = kind.inWindow(Math.max(...sent.map(({ limit }) => limit)));
          const over: number[] = [];
          for (const { at: from } of admitted) {
            const within = admitted.filter(({ at }) => at >= from && at < from + WINDOW);
            if (within.reduce((sum, { units }) => sum + units, 0) > most) over.push(from);
          }

          expect(over).toEqual([]);
        }),
        { numRuns },
      );
    });

    it('finds its used units after denials under other limits', async () => {
      await fc.assert(
        fc.asyncProperty(requests, fc.constantFrom(...LIMITS), async (sent, limit) => {
          const key = newKey();
          const policy = kind.policyAt(limit);
          let now = START;
          const wrong: unknown[] = [];
          for (const each of sent) {
            now += each.pause;
            const before = await key.look(policy, now);
            const { charged } = await key.take(kind.policyAt(each.limit), costOf(each, kind), now);

            const after = await key.look(policy, now);
            if (charged === 0 && !isDeepStrictEqual(after, before)) wrong.push({ before, after });
          }

          expect(wrong).toEqual([]);
        }),
        { numRuns },
      );
    });
  });
});

describe('A limit function', () => {
  const redis = withRedisStore();

  const stores: [string, () => Store][] = [
    ['in memory', () => memoryStore()],
    ['on Redis', () => newStoreOn(redis.client)],
  ];

  describe.each(stores)('%s', (_name, newStore) => {
    // Issue 34: 460, 424 and 9 991 were admitted.
    it.each([
      [100, 60],
      [100, 64],
      [1000, 1],
      [100, 70],
      [60, 30],
    ])('of %i and %i in turn admits the higher one', async (higher, lower) => {
      const limiter = createLimiter({
        store: newStore(),
        name: `of ${higher} and ${lower}`,
        window: '1h',
        key: () => 'a client',
        limit: ({ limit }: { limit: number }) => limit,
      });
      let admitted = 0;
      for (let request = 0; request < 4 * higher; request += 1) {
        const limit = request < higher || request % 30 > 0 ? higher : lower;
        if ((await limiter.consume({ limit })).allowed) admitted += 1;
      }

      expect(admitted).toBe(higher);
      await limiter.close();
    });
  });
});
