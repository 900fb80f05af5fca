// multi-window/ decides several windows of one key together. The slots of each window, a cost and a time enter. It
// imports sliding-window, whose slots it uses.
import { RATE_FACTS } from '../../model/algorithm-facts.js';
import { formatDuration } from '../../model/duration.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { OptionRows } from '../../options/option-row.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import type { ClaimResult } from '../kernel.js';
import { LIMIT_ROW, type Rate, RATE_OPTIONS } from '../rate.js';
import {
  chargeRing,
  emptyAfter,
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
} from '../sliding-window/slots.js';
import { tickOf } from '../tick.js';

export interface MultiWindowOptions {
  /** `'multi-window'` has several `windows` in one state: a request must fit all of them. */
  algorithm: 'multi-window';
  /** At least two windows, each with its own limit. A request must fit all of them. */
  windows: readonly Rate[];
  /**
   * Slots in the greatest common divisor of the windows.
   *
   * @default 1
   */
  precision?: number;
}

/** A window in whole microseconds. */
interface SizedWindow {
  readonly limit: number;
  readonly window: number;
}

export interface MultiWindowPolicy extends Policy, Slots {
  /** Longest first. */
  readonly windows: readonly (SlotWindow & { readonly window: number })[];
}

const OPTIONS = {
  windows: {
    code: 'WINDOW_INVALID',
    is: (given) => Array.isArray(given) && given.length >= 2,
    words: 'an array of at least two { limit, window }',
    required: true,
  },
  precision: { code: 'PRECISION_INVALID', integer: [1, 250], otherwise: 1 },
} as const satisfies OptionRows;
/** A limit here is no function. */
export const WINDOW_OPTIONS = { ...RATE_OPTIONS, limit: { ...LIMIT_ROW, instead: {} } } as const;

/** Several sliding windows over one ring of slots. A cost fits when it fits all of them. */
export const multiWindow: Algorithm<MultiWindowPolicy, Ring> & NamedAlgorithm<'multi-window'> = {
  ...RATE_FACTS,
  name: 'multi-window',
  code: 'mw',
  keyType: 'string',
  twin: 'mw',
  options: OPTIONS,
  packing: { path: () => 'mw', unpack: unpackRing },
  isAhead: isRingAhead,
  read: readRing,
  refund: refundRing,
  expiresAt: ringExpiresAt,
  terms: (state, now, policy, cost) => slotsTerms(state, now, policy.windows, policy, cost),

  define(options) {
    const { precision } = options.read(OPTIONS);
    const windows = readWindows(options);
    const divisor = windows.map((each) => each.window).reduce(greatestCommonDivisor);
    if (divisor % precision !== 0) {
      throw options.fail(
        'PRECISION_INVALID',
        'precision',
        `must divide ${formatDuration(divisor)}, the greatest common divisor of the windows, into whole microseconds`,
      );
    }
    const [longest] = windows as [SizedWindow];
    const limits = windows.map(({ limit }) => limit);
    const capacity = Math.min(...limits);
    const slotTime = divisor / precision;
    const slots = longest.window / slotTime;
    if (slots > 250) {
      throw options.fail(
        'WINDOW_INVALID',
        'windows',
        `must differ by at most 250 slots, and have ${slots} of ${formatDuration(slotTime)}: use a tier for each window`,
      );
    }
    const tick = tickOf(slotTime, Math.max(...limits), options, 'windows');
    const slot = slotTime / tick;
    const ring = slots + 1;
    const slotWindows = windows.map((each) => ({ ...each, slots: each.window / slotTime, strict: false }));
    return Object.freeze({
      algorithm: multiWindow,
      limit: longest.limit,
      quota: longest.limit,
      capacity,
      window: longest.window,
      windows: Object.freeze(slotWindows),
      tick,
      slot,
      ring,
      dimensions: `multi-window ${windows.map(({ window }) => window).join('+')} ${precision} ${SLOTS_FORM}`,
      settling: undefined,
      numbers: [tick, capacity, slot, ring, ...slotWindows.flatMap((each) => [each.limit, each.slots])],
    } satisfies MultiWindowPolicy);
  },

  wait(state, now, policy, cost) {
    let longest = 0;
    for (const window of policy.windows) {
      longest = Math.max(longest, waitForRing(state, now, policy, window, window.limit - cost));
    }
    return longest;
  },

  remaining(state, now, policy) {
    let least = policy.capacity;
    for (const window of policy.windows) {
      least = Math.min(least, leftIn(state, now, policy, window));
    }
    return least;
  },

  charge(state, now, policy, cost) {
    return chargeRing(state, Math.min(cost, this.remaining(state, now, policy)));
  },

  describe(state, now, policy, result) {
    let limit = 0;
    let remaining = Infinity;
    let replenishAfter = 0;
    for (const window of policy.windows) {
      const left = leftIn(state, now, policy, window);
      const wait = left === window.limit ? 0 : waitForRing(state, now, policy, window, window.limit - left - 1);
      if (left < remaining) {
        limit = window.limit;
        remaining = left;
        replenishAfter = wait;
      } else if (left === remaining) {
        // Of windows with equally little left, all must grow before more fits. A full one never grows.
        replenishAfter = wait === 0 || replenishAfter === 0 ? 0 : Math.max(replenishAfter, wait);
      }
    }
    const { charged, retryAfter } = result;
    if (retryAfter !== 0) limit = denyingWindow(state, now, policy, result).limit;
    const resetAfter = emptyAfter(state, now, policy);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },
};

function leftIn(state: Ring, now: number, policy: MultiWindowPolicy, window: SlotWindow): number {
  return Math.max(0, window.limit - used(state, now, policy, window));
}

/** The window that a denied request waits for: one that can never hold the cost, else the one with the longest wait. */
function denyingWindow(state: Ring, now: number, policy: MultiWindowPolicy, { cost }: ClaimResult): SlotWindow {
  let denying = policy.windows[0]!;
  let longest = -1;
  for (const window of policy.windows) {
    if (cost > window.limit) return window;
    const wait = waitForRing(state, now, policy, window, window.limit - cost);
    if (wait > longest) {
      denying = window;
      longest = wait;
    }
  }
  return denying;
}

/** Longest first. */
function readWindows(options: OptionReader): SizedWindow[] {
  const given = options.value('windows') as readonly unknown[];
  const windows = given.map((_, index) => ({
    ...options.inside('windows', index, WINDOW_OPTIONS).read(WINDOW_OPTIONS),
  }));
  windows.sort((one, other) => other.window - one.window);
  const twice = windows.find((each, index) => windows[index + 1]?.window === each.window);
  if (twice)
    throw options.fail('WINDOW_INVALID', 'windows', `must differ, and ${formatDuration(twice.window)} is there twice`);
  return windows;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
