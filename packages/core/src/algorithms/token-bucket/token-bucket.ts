import { parseDuration, type Duration } from '../../model/duration.js';
import type { OptionReader } from '../../model/option-reader.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm, Charge } from '../algorithm.js';
import {
  add,
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

  ahead(stored, now, { tolerance, limit }) {
    return isLater(stored, add([now, 0], tolerance, limit));
  },

  read(stored, now, { tolerance, limit }) {
    const tat = inParts(stored ?? ZERO, limit);
    const latest = add([now, 0], tolerance, limit);
    return isLater(tat, latest) ? latest : tat;
  },

  wait(tat, now, policy, cost) {
    const { tolerance, limit } = policy;
    const wanted = add(debt(tat, now), timeOf(cost, policy), limit);
    return isLater(wanted, tolerance) ? ceiling(subtract(wanted, tolerance, limit)) : 0;
  },

  remaining(tat, now, policy) {
    return unitsIn(subtract(policy.tolerance, debt(tat, now), policy.limit), policy);
  },

  charge(tat, now, policy, cost) {
    const { tolerance, limit } = policy;
    const wanted = add(debt(tat, now), timeOf(cost, policy), limit);
    return add([now, 0], isLater(wanted, tolerance) ? tolerance : wanted, limit);
  },

  describe(tat, now, policy, { charged, retryAfter }) {
    const { capacity, tolerance, limit } = policy;
    const left = subtract(tolerance, debt(tat, now), limit);
    const remaining = unitsIn(left, policy);
    const next = remaining === capacity ? ZERO : subtract(timeOf(remaining + 1, policy), left, limit);
    const [replenishAfter, resetAfter] = [ceiling(next), ceiling(debt(tat, now))];
    return { charged, limit: capacity, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },

  refund(stored, now, policy, charge) {
    const tat = inParts(stored, policy.limit);
    const held = heldOf(charge, now, policy);
    const back = isLater(held, debt(tat, now)) ? debt(tat, now) : held;
    // A unit that time has given back in part is given back for the rest.
    return { state: subtract(tat, back, policy.limit), given: unitsBegun(back, policy) };
  },

  expiresAt(tat) {
    return ceiling(tat);
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

/** How far the arrival time is ahead: what is spent and not yet refilled. */
function debt(tat: ArrivalTime, now: number): ArrivalTime {
  return tat[0] < now ? ZERO : [tat[0] - now, tat[1]];
}

/** What of a charge has not been refilled by time. */
function heldOf({ units, until }: Charge, now: number, policy: BucketPolicy): ArrivalTime {
  const charged = timeOf(units, policy);
  const rest: ArrivalTime = [Math.max(0, until - now), 0];
  return isLater(rest, charged) ? charged : rest;
}
