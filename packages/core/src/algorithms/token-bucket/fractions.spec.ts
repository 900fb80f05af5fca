import * as fc from 'fast-check';
import { EPOCH } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';
import type { ArrivalTime } from './arrival-time.js';
import type { BucketPolicy } from './bucket-policy.js';
import { tokenBucket } from './token-bucket.js';

/** A bucket in whole parts of a tick: one tick is `limit` parts. */
class Exact {
  readonly #parts: bigint;
  readonly #unit: bigint;
  readonly #capacity: bigint;
  /** The capacity and the overdraft. */
  readonly #most: bigint;

  constructor({ limit, window, capacity, settling }: BucketPolicy) {
    [this.#parts, this.#unit, this.#capacity] = [BigInt(limit), BigInt(window), BigInt(capacity)];
    this.#most = BigInt(settling?.capacity ?? capacity);
  }

  of([ticks, rest]: ArrivalTime): bigint {
    return BigInt(ticks) * this.#parts + BigInt(rest);
  }

  latest(now: number): bigint {
    return this.of([now, 0]) + this.#most * this.#unit;
  }

  spent(tat: ArrivalTime, now: number): bigint {
    const spent = this.of(tat) - this.of([now, 0]);
    return spent > 0n ? spent : 0n;
  }

  wait(tat: ArrivalTime, now: number, cost: number): number {
    return this.#ticks(this.spent(tat, now) + (BigInt(cost) - this.#capacity) * this.#unit);
  }

  charged(tat: ArrivalTime, now: number, cost: number): bigint {
    const spent = this.spent(tat, now);
    const left = this.#capacity * this.#unit - spent;
    const room = left > 0n ? left / this.#unit : 0n;
    // A state of which nothing is charged stays as it is, also in the past.
    if (room === 0n) return this.of(tat);
    return this.of([now, 0]) + spent + (BigInt(cost) < room ? BigInt(cost) : room) * this.#unit;
  }

  described(tat: ArrivalTime, now: number) {
    const left = this.#capacity * this.#unit - this.spent(tat, now);
    const remaining = left > 0n ? left / this.#unit : 0n;
    const missing = remaining === this.#capacity ? 0n : (remaining + 1n) * this.#unit - left;
    return {
      remaining: Number(remaining),
      replenishAfter: this.#ticks(missing),
      resetAfter: this.#ticks(this.spent(tat, now)),
    };
  }

  /** The whole ticks that cover the parts. */
  #ticks(parts: bigint): number {
    return parts <= 0n ? 0 : Number((parts + this.#parts - 1n) / this.#parts);
  }
}

const bucket = fc
  .record({
    limit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 90_000_000 })),
    window: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 86_400_000 })),
    burst: fc.integer({ min: 1, max: 1_000_000 }),
    overdraft: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000_000 })),
    settles: fc.boolean(),
  })
  .filter(({ limit, window, burst, overdraft }) => ((burst + overdraft) * window) / limit < 400 * 86_400_000)
  .map(({ settles, ...options }) => {
    const policy = definePolicy({ algorithm: 'token-bucket', ...options });
    return ((settles && policy.settling) || policy) as BucketPolicy;
  });

/** Times around the one at which a bucket is overdrawn most, empty or full. */
const time = fc.record({
  edge: fc.constantFrom('overdrawn', 'empty', 'full', 'between'),
  ticks: fc.integer({ min: -2, max: 2 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  rest: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
});

describe('A token bucket', () => {
  it('decides as BigInt arithmetic does', () => {
    fc.assert(
      fc.property(bucket, time, fc.double({ min: 0, max: 1, noNaN: true }), (policy, at, share) => {
        const exact = new Exact(policy);
        const [full, fullRest] = at.edge === 'overdrawn' ? policy.mostDebt : policy.tolerance;
        const between = Math.floor(policy.mostDebt[0] * at.share);
        const from = { overdrawn: full, empty: full, full: 0, between }[at.edge];
        const isEdge = (at.edge === 'overdrawn' || at.edge === 'empty') && at.rest === 0;
        const rest = isEdge ? fullRest : Math.floor(at.rest * policy.limit);
        const stored: ArrivalTime = [EPOCH + from + at.ticks, rest];
        const cost = Math.max(1, Math.round(policy.capacity * share));
        const isAhead = exact.of(stored) > exact.latest(EPOCH);

        const tat = tokenBucket.read(stored, EPOCH, policy);
        const wait = tokenBucket.wait(tat, EPOCH, policy, cost);
        const charged = tokenBucket.charge(tat, EPOCH, policy, cost);
        const described = tokenBucket.describe(tat, EPOCH, policy, { cost, charged: 0, retryAfter: 0 });

        expect(tokenBucket.isAhead(stored, EPOCH, policy)).toBe(isAhead);
        expect(exact.of(tat)).toBe(isAhead ? exact.latest(EPOCH) : exact.of(stored));
        expect(wait).toBe(exact.wait(tat, EPOCH, cost));
        expect(exact.of(charged)).toBe(exact.charged(tat, EPOCH, cost));
        expect(charged[1]).toBeLessThan(policy.limit);
        expect(described).toMatchObject(exact.described(tat, EPOCH));
        expect(tokenBucket.remaining(tat, EPOCH, policy)).toBe(described.remaining);
      }),
      { numRuns: 1_000 },
    );
  });
});
