import { RATE_FACTS } from '../../model/algorithm-facts.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { bucketTerms, overdraft, type BucketPolicy } from './bucket-policy.js';

/** Units that are spent, when they were counted, and when the last of them is refilled. Until then they leave evenly. */
export type Spent = readonly [fullAt: number, at: number, units: number];

/**
 * A bucket of a fixed size whose rate moves from request to request. A unit refills by the limit that charged it, so the
 * state counts units: no order of limits spends more than the bucket holds, or refills it faster than the highest limit.
 *
 * Whole units at one moment are exact, and a refill is rounded up to a microsecond.
 */
export const movingBucket: Algorithm<BucketPolicy & { readonly queued?: boolean }, Spent> = {
  ...RATE_FACTS,
  refill: 'evenly',
  mayLease: true,
  name: 'token-bucket',
  code: 'tb',
  twin: 'tb',
  // No script of a policy reads spent units.
  packing: undefined,

  // By its own time: an arrival time that is far ahead may be the debt of a lower limit.
  isAhead(stored, now) {
    return stored[1] > now;
  },

  read(stored, now) {
    if (stored === undefined) return [0, 0, 0];
    const [fullAt, at, units] = stored;
    return at > now ? [fullAt - at + now, now, units] : stored;
  },

  wait(state, now, { capacity }, cost) {
    const ticks = debt(state, now);
    return ticks === 0 ? 0 : Math.max(0, ticks - ticksOf(state, capacity - cost));
  },

  remaining(state, now, { capacity }) {
    const ticks = debt(state, now);
    if (ticks === 0) return capacity;
    let units = Math.max(0, Math.floor(capacity - unitsAt(state, now)));
    while (units > 0 && ticks > ticksOf(state, capacity - units)) units -= 1;
    while (units < capacity && ticks <= ticksOf(state, capacity - units - 1)) units += 1;
    return units;
  },

  charge(state, now, policy, cost) {
    const units = Math.min(cost, this.remaining(state, now, policy));
    if (units === 0) return state;
    return [now + debt(state, now) + refillTime(units, policy), now, unitsAt(state, now) + units];
  },

  describe(state, now, policy, { charged, retryAfter }) {
    const { capacity, quota: limit } = policy;
    const resetAfter = debt(state, now);
    const remaining = this.remaining(state, now, policy);
    const replenishAfter = remaining === capacity ? 0 : resetAfter - ticksOf(state, capacity - remaining - 1);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },

  refund(stored, now, policy, { units, at, until, undone }) {
    const [fullAt, counted, spentThen] = stored;
    // Nothing was charged since, so the units before it leave as they would have.
    if (undone && fullAt === until && counted === at) {
      const left = spentThen - units;
      // The times of several charges are rounded up, so that a tick can stay that no unit owes.
      return { state: left > 0 ? [fullAt - refillTime(units, policy), at, left] : [at, at, 0], given: units };
    }
    const state = this.read(stored, now, policy);
    const ticks = debt(state, now);
    const time = refillTime(units, policy);
    const back = Math.min(time, Math.max(0, until - now), ticks);
    if (back === 0) return { state: stored, given: 0 };
    const spent = unitsAt(state, now);
    const given = Math.min(spent, units * (back / time));
    const left = spent - given;
    // A queue releases the next request when the last one would have left. In a bucket the other units refill as fast
    // as before.
    const rest = policy.queued ? ticks - back : Math.ceil(ticks * (left / spent));
    return { state: rest > 0 && left > 0 ? [now + rest, now, left] : [now, now, 0], given: Math.ceil(given) };
  },

  expiresAt([fullAt]) {
    return fullAt;
  },

  overdraft,

  terms: (state, now, policy) => bucketTerms(unitsAt(state, now), policy),
};

/** The policy of a bucket whose limit moves. */
export function withMovingLimit(policy: Policy): Policy {
  const { moving, dimensions, numbers, settling } = policy as BucketPolicy;
  const moves = { algorithm: moving, dimensions: `${dimensions} moves`, numbers: numbers.with(5, -1) };
  return Object.freeze({ ...policy, ...moves, settling: settling && withMovingLimit(settling) });
}

/** What is spent and not yet refilled, in ticks. */
function debt([fullAt]: Spent, now: number): number {
  return Math.max(0, fullAt - now);
}

/** Units that are spent at a time. */
function unitsAt([fullAt, at, units]: Spent, now: number): number {
  return fullAt <= now ? 0 : units * ((fullAt - now) / (fullAt - at));
}

/** How long before `fullAt` so many units are spent. */
function ticksOf([fullAt, at, spent]: Spent, units: number): number {
  return Math.floor((units / spent) * (fullAt - at));
}

/** The time that units take at this rate. */
function refillTime(units: number, { limit, quotient, remainder }: BucketPolicy): number {
  return Math.ceil(units * quotient + (units * remainder) / limit);
}
