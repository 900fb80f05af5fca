import { RATE_FACTS } from '../../model/algorithm-facts.js';
import { formatDuration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import {
  chargeLog,
  describeLog,
  emptyLog,
  isLogAhead,
  logTerms,
  readLog,
  remainingInLog,
  waitForLog,
  type LogWindow,
} from '../sliding-window-log/log.js';
import type { Rate } from '../rate.js';
import { Stamps } from '../sliding-window-log/stamps.js';
import { roomyTick, tickOf } from '../tick.js';
import { toLog, toRing } from './forms.js';
import { pairOfSlots } from './pair-of-slots.js';
import {
  chargeRing,
  emptyAfter,
  isRing,
  isRingAhead,
  readRing,
  refundRing,
  ringExpiresAt,
  SLOTS_FORM,
  slotsTerms,
  unpackRing,
  used,
  waitForRing,
  type Ring,
  type Slots,
  type SlotWindow,
} from './slots.js';

export interface SlidingWindowOptions<Limit = number> extends Rate<Limit> {
  /**
   * `'sliding-window'` counts the last `window`, also over its edges.
   *
   * @default 'sliding-window'
   */
  algorithm?: 'sliding-window';
  /**
   * Slots in the window, 1 to 250. More slots count closer to an exact log, and take 4 bytes each. Limits up to 64 are
   * exact without them.
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

/** Up to this limit the window stores the time of each unit. */
const MAX_LOG_LIMIT = 64;
/** A log stores the lower 40 bits of a stamp: so many windows and more must fit into their range. */
const LOG_SPAN = 2 ** 38;
// Fast paths reply with two counts below 2^20 as one integer: older * 2^20 + newer, in the slot of now.
export const UNIT_RANGE = 2 ** 20;

/**
 * A limit of at most 64 charges a log, a larger one a ring. Each reads the form that it finds: to a log's limit a ring is a
 * strict one, to a ring's limit a log is as exact as ever.
 */
export type WindowState = Ring | Stamps;

export interface SlidingWindowPolicy extends Policy, Slots, SlotWindow, LogWindow {
  readonly keepsLog: boolean;
  /** The tick of a log of this window, in microseconds, at any limit. */
  readonly logTick: number;
}

/**
 * Up to a limit of 64 stores the time of each unit: exactly the limit in any window. Above, counts units in slots, and
 * the oldest slot by the share that the window still covers: at most the limit in any (1 - 1/m) of a window, and less
 * than twice the limit in any window. Strict: at most the limit in any window.
 */
export const slidingWindow: Algorithm<SlidingWindowPolicy, WindowState> = {
  ...RATE_FACTS,
  name: 'sliding-window',
  code: 'sw',
  twin: 'sw',
  options: ['limit', 'window', 'precision', 'strict'],
  packing: {
    path({ keepsLog, slots, strict }) {
      if (keepsLog) return 'log';
      if (slots > 1) return 'ring';
      return strict ? undefined : 'sw';
    },
    unpack(numbers, position, now, policy) {
      if (policy.keepsLog) return logOf(numbers, position);
      return policy.slots > 1 ? unpackRing(numbers, position, now, policy) : ringOf(numbers[position]!, now, policy);
    },
  },

  define(options) {
    const limit = options.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 });
    const window = options.duration('window');
    const strict = options.flag('strict');
    const slots = options.integer('PRECISION_INVALID', 'precision', { max: 250, otherwise: strict ? 50 : 1 });
    if (window % slots !== 0) throw indivisible(options, window, slots);
    const keepsLog = limit <= MAX_LOG_LIMIT;
    const product = (slots * 2 ** 52) / LOG_SPAN;
    const tick = tickOf(window / slots, keepsLog ? product : limit, options, 'window', slots);
    const logTick = keepsLog ? tick : roomyTick(window / slots, product)!;
    const slot = window / slots / tick;
    return Object.freeze({
      algorithm: slidingWindow,
      limit,
      quota: limit,
      capacity: limit,
      window,
      tick,
      slot,
      slots,
      ring: slots + 1,
      // No window admits more than the limit of a log, also while a ring of a larger limit is stored.
      strict: strict || keepsLog,
      span: slot * slots,
      keepsLog,
      logTick,
      dimensions: `sliding-window ${window} ${slots}${strict ? ' strict' : ''} ${SLOTS_FORM}`,
      numbers: [tick, limit, limit, slot, slots, strict || keepsLog ? 1 : 0, logTick, keepsLog ? 1 : 0],
    } satisfies SlidingWindowPolicy);
  },

  kernel: ({ keepsLog, slots }) => (keepsLog || slots > 1 ? undefined : pairOfSlots),

  isAhead(stored, now, policy) {
    return isRing(stored) ? isRingAhead(stored, now, policy) : isLogAhead(stored, inLogTicks(now, policy));
  },

  read(stored, now, policy) {
    if (stored === undefined) return policy.keepsLog ? emptyLog() : readRing(undefined, now, policy);
    return isRing(stored) ? readRing(stored, now, policy) : logAt(stored, now, policy);
  },

  wait(state, now, policy, cost) {
    if (isRing(state)) return waitForRing(state, now, policy, policy, policy.limit - cost);
    if (policy.keepsLog) return waitForLog(state, now, policy, cost);
    return fromLogTicks(waitForLog(state, inLogTicks(now, policy), logWindow(policy), cost), now, policy);
  },

  remaining(state, now, policy) {
    return isRing(state) ? Math.max(0, policy.limit - used(state, now, policy, policy)) : remainingInLog(state, policy);
  },

  /** Only a charged unit changes the form: a denial forgets none, and its answer stays true. */
  charge(state, now, policy, cost) {
    const units = Math.min(cost, this.remaining(state, now, policy));
    if (units === 0) return state;
    if (!policy.keepsLog) return chargeRing(isRing(state) ? state : toRing(state, now, policy), units);
    return chargeLog(isRing(state) ? logAt(toLog(state, now, policy), now, policy) : state, now, policy, units);
  },

  describe(state, now, policy, result) {
    if (!isRing(state)) {
      if (policy.keepsLog) return describeLog(state, now, policy, result);
      const described = describeLog(state, inLogTicks(now, policy), logWindow(policy), result);
      const replenishAfter = fromLogTicks(described.replenishAfter, now, policy);
      return { ...described, replenishAfter, resetAfter: fromLogTicks(described.resetAfter, now, policy) };
    }
    const { limit } = policy;
    const { charged, retryAfter } = result;
    const remaining = this.remaining(state, now, policy);
    const replenishAfter = remaining === limit ? 0 : waitForRing(state, now, policy, policy, limit - remaining - 1);
    const resetAfter = emptyAfter(state, now, policy);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },

  /** In the form of the stored state, which can be another than that of the receipt. */
  refund(stored, now, policy, receipt) {
    if (isRing(stored)) return refundRing(stored, now, policy, receipt);
    const log = logAt(stored, now, policy);
    const { stamps, removed } = log.remove(inLogTicks(receipt.at, policy), receipt.units);
    return { state: stamps, given: removed };
  },

  expiresAt(state, policy) {
    if (isRing(state)) return ringExpiresAt(state, policy);
    if (state.length === 0) return 0;
    return Math.ceil((state.at(state.length - 1) * policy.logTick) / policy.tick) + policy.span;
  },

  terms(state, now, policy, cost) {
    if (isRing(state)) return slotsTerms(state, now, [policy], policy, cost);
    return logTerms(state, { window: policy.window, tick: policy.logTick });
  },

  revive(json) {
    return 'log' in json ? Stamps.revive(json) : (json as Ring);
  },
};

/** A time in ticks of the policy as one in ticks of a log. */
function inLogTicks(time: number, { tick, logTick }: SlidingWindowPolicy): number {
  return Math.floor((time * tick) / logTick);
}

/** Ticks of a log from now on as ticks of the policy. */
function fromLogTicks(after: number, now: number, policy: SlidingWindowPolicy): number {
  if (after === 0) return 0;
  return Math.ceil(((inLogTicks(now, policy) + after) * policy.logTick) / policy.tick) - now;
}

/** The window in ticks of a log. */
function logWindow({ limit, window, logTick }: SlidingWindowPolicy): LogWindow {
  return { limit, span: window / logTick };
}

/** A log as it stands now. Stamps that are still to come become stamps of now: the clock stepped back. */
function logAt(stored: Stamps, time: number, policy: SlidingWindowPolicy): Stamps {
  const now = inLogTicks(time, policy);
  const window = logWindow(policy);
  if (!isLogAhead(stored, now)) return readLog(stored, now, window);
  const stamps = Array.from({ length: stored.length }, (_, index) => Math.min(stored.at(index), now));
  return readLog(new Stamps(stamps, 0, stamps.length), now, window);
}

/** The log that a fast path replied with: its length, the oldest stamp that matters, and the newest stamp. */
function logOf(numbers: readonly number[], position: number): Stamps {
  const length = numbers[position]!;
  const stamps = new Array<number>(length).fill(numbers[position + 1]!);
  if (length > 0) stamps[length - 1] = numbers[position + 2]!;
  return new Stamps(stamps, 0, length);
}

function ringOf(value: number, now: number, { slot }: SlidingWindowPolicy): Ring {
  return [Math.floor(now / slot), value % UNIT_RANGE, Math.floor(value / UNIT_RANGE)];
}

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
