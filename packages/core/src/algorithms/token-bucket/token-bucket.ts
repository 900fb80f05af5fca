import { parseDuration, type Duration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm, Charge } from '../algorithm.js';
import {
  ceiling,
  isLater,
  subtract,
  timeOf,
  unitsBegun,
  unitsIn,
  ZERO,
  type ArrivalTime,
  type Interval,
} from './arrival-time.js';

export interface TokenBucketOptions<Limit = number> {
  /** `gcra` names the same. */
  algorithm: 'token-bucket' | 'gcra';
  /** Units that flow back in a `window`, at most 9 x 10^7. */
  limit: Limit;
  window: Duration;
  /**
   * Units that may be spent at once: what the bucket holds, at most 9 x 10^7. Lower it to smooth a client that spends
   * its whole window in a second.
   *
   * @default limit
   */
  burst?: number;
}

export interface BucketPolicy extends Policy, Interval {
  /** A full bucket in time: capacity x T. */
  readonly tolerance: ArrivalTime;
}

export const BUCKET_MAX = 9e7;
export const REFILL_MAX = parseDuration('400d')!;

/**
 * A bucket that holds `burst` units and refills at limit / window, as the generic cell rate algorithm (ITU-T I.371):
 * its state is the time at which it is full again. At most burst + limit x W / window in any W.
 */
export const tokenBucket: Algorithm<BucketPolicy, ArrivalTime> = {
  name: 'token-bucket',
  code: 'tb',
  options: ['limit', 'window', 'burst'],

  define(options) {
    return defineBucket(options, 'token-bucket', { name: 'burst', code: 'BURST_INVALID' });
  },

  ahead(stored, now, { tolerance }) {
    return stored[0] > now + tolerance[0] || (stored[0] === now + tolerance[0] && stored[1] > tolerance[1]);
  },

  read(stored, now, policy) {
    const tat = inParts(stored ?? ZERO, policy.limit);
    return this.ahead(tat, now, policy) ? [now + policy.tolerance[0], policy.tolerance[1]] : tat;
  },

  wait(tat, now, { limit, quotient, remainder, tolerance }, cost) {
    const ticks = debt(tat, now) + cost * quotient - tolerance[0];
    const parts = debtRest(tat, now) + cost * remainder - tolerance[1];
    return Math.max(0, ceiling(ticks, parts, limit));
  },

  remaining(tat, now, policy) {
    const { tolerance } = policy;
    return unitsIn(tolerance[0] - debt(tat, now), tolerance[1] - debtRest(tat, now), policy);
  },

  charge(tat, now, { limit, quotient, remainder, tolerance }, cost) {
    const parts = debtRest(tat, now) + cost * remainder;
    const carry = Math.floor(parts / limit);
    const ticks = debt(tat, now) + cost * quotient + carry;
    const rest = parts - carry * limit;
    const isFull = ticks > tolerance[0] || (ticks === tolerance[0] && rest > tolerance[1]);
    return isFull ? [now + tolerance[0], tolerance[1]] : [now + ticks, rest];
  },

  describe(tat, now, policy, { charged, retryAfter }) {
    const { capacity, limit, quotient, remainder, tolerance } = policy;
    const ticks = tolerance[0] - debt(tat, now);
    const parts = tolerance[1] - debtRest(tat, now);
    const remaining = unitsIn(ticks, parts, policy);
    const next = remaining + 1;
    const replenishAfter =
      remaining === capacity ? 0 : ceiling(next * quotient - ticks, next * remainder - parts, limit);
    const resetAfter = ceiling(debt(tat, now), debtRest(tat, now), limit);
    return { charged, limit: capacity, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },

  refund(stored, now, policy, charge) {
    const tat = inParts(stored, policy.limit);
    const held = heldOf(charge, now, policy);
    const spent: ArrivalTime = [debt(tat, now), debtRest(tat, now)];
    const back = isLater(held, spent) ? spent : held;
    // A unit that time has given back in part is given back for the rest.
    return { state: subtract(tat, back, policy.limit), given: unitsBegun(back, policy) };
  },

  expiresAt(tat) {
    return tat[1] > 0 ? tat[0] + 1 : tat[0];
  },
};

/** Policies of buckets, whatever they are called: `size` names the option that says what one holds. */
export function defineBucket(
  options: OptionReader,
  algorithm: BucketPolicy['algorithm'],
  size: { name: string; code: 'BURST_INVALID' | 'QUEUE_INVALID'; besides?: number },
): BucketPolicy {
  const limit = options.integer('LIMIT_INVALID', 'limit', { max: BUCKET_MAX });
  const window = options.duration('window');
  const { besides = 0 } = size;
  const rule = { min: 1 - besides, max: BUCKET_MAX - besides, otherwise: limit };
  const capacity = besides + options.integer(size.code, size.name, rule);
  const interval = { limit, quotient: Math.floor(window / limit), remainder: window % limit, capacity };
  if (capacity * (window / limit) > REFILL_MAX) {
    const most = Math.floor((REFILL_MAX / window) * limit) - besides;
    throw options.fail(size.code, size.name, `must refill within 400 days: at this rate at most ${most} do`);
  }
  return Object.freeze({
    algorithm,
    ...interval,
    quota: capacity,
    window,
    // Rests keep fractions exact, so microseconds always do.
    tick: 1,
    tolerance: timeOf(capacity, interval),
    dimensions: `${algorithm} ${window}`,
    numbers: [1, capacity, limit, interval.quotient, interval.remainder],
  });
}

/** A rest that was left under another limit counted other parts. */
function inParts(stored: ArrivalTime, limit: number): ArrivalTime {
  return stored[1] < limit ? stored : [stored[0] + 1, 0];
}

/** How far the arrival time is ahead: what is spent and not yet refilled, in whole ticks. */
function debt(tat: ArrivalTime, now: number): number {
  return Math.max(0, tat[0] - now);
}

/** The rest of it. */
function debtRest(tat: ArrivalTime, now: number): number {
  return tat[0] < now ? 0 : tat[1];
}

/** What of a charge has not been refilled by time. */
function heldOf({ units, until }: Charge, now: number, policy: BucketPolicy): ArrivalTime {
  const charged = timeOf(units, policy);
  const rest: ArrivalTime = [Math.max(0, until - now), 0];
  return isLater(rest, charged) ? charged : rest;
}
