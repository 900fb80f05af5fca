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
   * Slots in the window, 1 to 250. More slots count closer to an exact log, and take 4 bytes each.
   *
   * @default 1, with `strict` 50
   */
  precision?: number;
  /**
   * Admits at most the limit in any window. This costs up to 1 / precision of the throughput.
   *
   * @default false
   */
  strict?: boolean;
}

// Fast paths reply with two counts below 2^20 as one integer: older * 2^20 + newer, in the slot of now.
const UNIT_RANGE = 2 ** 20;

export interface SlidingWindowPolicy extends Policy, Slots, SlotWindow {}

/**
 * Counts units in slots, and the oldest slot by the share that the window still covers. At most the limit in any (1 - 1/m)
 * of a window, and less than twice the limit in any window. Strict: at most the limit in any window.
 */
export const slidingWindow: Algorithm<SlidingWindowPolicy, Ring> = {
  name: 'sliding-window',
  code: 'sw',
  options: ['limit', 'window', 'precision', 'strict'],
  packing: {
    applies: ({ slots, strict }) => slots === 1 && !strict,
    unpack: (value, now, { slot }) => [Math.floor(now / slot), value % UNIT_RANGE, Math.floor(value / UNIT_RANGE)],
  },
  isAhead: isRingAhead,
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
