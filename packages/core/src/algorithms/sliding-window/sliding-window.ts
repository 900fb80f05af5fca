import { formatDuration, type Duration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { tickOf } from '../tick.js';
import {
  chargeRing,
  emptyAfter,
  isRingAhead,
  readRing,
  refundRing,
  ringExpiresAt,
  used,
  waitFor,
  type Ring,
  type Slots,
  type SlotWindow,
} from './slots.js';

export interface SlidingWindowOptions<Limit = number> {
  algorithm?: 'sliding-window';
  /** Units allowed per `window`, at most 2^32 - 1. */
  limit: Limit;
  window: Duration;
  /**
   * Slots that the window is counted in, 1 to 250. More of them follow the exact log closer and take 4 bytes each.
   *
   * @default 1, with `strict` 50
   */
  precision?: number;
  /**
   * Never more than the limit in any window, at the price of a share of 1 / precision of the throughput.
   *
   * @default false
   */
  strict?: boolean;
}

export interface SlidingWindowPolicy extends Policy, Slots, SlotWindow {}

/**
 * Counts in slots and weighs the oldest by what of it the window still covers. At most the limit in any window of
 * (1 - 1/m) times its length and less than twice the limit in any window; strict: at most the limit in any window.
 */
export const slidingWindow: Algorithm<SlidingWindowPolicy, Ring> = {
  name: 'sliding-window',
  code: 'sw',
  options: ['limit', 'window', 'precision', 'strict'],
  ahead: isRingAhead,
  read: readRing,
  refund: refundRing,
  expiresAt: ringExpiresAt,

  define(options) {
    const limit = options.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 });
    const window = options.duration('window');
    const strict = options.flag('strict');
    const slots = options.integer('PRECISION_INVALID', 'precision', { max: 250, otherwise: strict ? 50 : 1 });
    if (window % slots !== 0) throw indivisible(options, window, slots);
    const tick = tickOf(window / slots, limit, options, 'window');
    const slot = window / slots / tick;
    return Object.freeze({
      algorithm: 'sliding-window',
      limit,
      quota: limit,
      capacity: limit,
      window,
      tick,
      slot,
      slots,
      ring: slots + 1,
      strict,
      dimensions: `sliding-window ${window} ${slots}${strict ? ' strict' : ''}`,
      numbers: [tick, limit, limit, slot, slots, strict ? 1 : 0],
    } satisfies SlidingWindowPolicy);
  },

  wait(state, now, policy, cost) {
    return waitFor(state, now, policy, policy, policy.limit - cost);
  },

  remaining(state, now, policy) {
    return Math.max(0, policy.limit - used(state, now, policy, policy));
  },

  charge(state, now, policy, cost) {
    return chargeRing(state, Math.min(cost, this.remaining(state, now, policy)));
  },

  describe(state, now, policy, { charged, retryAfter }) {
    const { limit } = policy;
    const remaining = this.remaining(state, now, policy);
    const replenishAfter = remaining === limit ? 0 : waitFor(state, now, policy, policy, limit - remaining - 1);
    const resetAfter = emptyAfter(state, now, policy);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },
};

function indivisible(options: OptionReader, window: number, slots: number): Error {
  const divisors = Array.from({ length: 250 }, (_, index) => index + 1).filter((each) => window % each === 0);
  const below = divisors.filter((each) => each < slots).at(-1);
  const above = divisors.find((each) => each > slots);
  const nearest = [below, above].filter((each) => each !== undefined).join(' and ');
  return options.fail(
    'PRECISION_INVALID',
    options.has('precision') ? 'precision' : 'window',
    `must let ${slots} slots divide a window of ${formatDuration(window)} into whole microseconds: the nearest precisions that do are ${nearest}`,
  );
}
