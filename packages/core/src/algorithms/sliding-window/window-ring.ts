import type { Algorithm } from '../algorithm.js';
import {
  describeLog,
  isLogAhead,
  logTerms,
  remainingInLog,
  waitForLog,
  type LogWindow,
} from '../sliding-window-log/log.js';
import type { Stamps } from '../sliding-window-log/stamps.js';
import { eitherForm, type Form } from './forms.js';
import { currentLog } from './log-form.js';
import { pairOfSlots } from './pair-of-slots.js';
import { ringForm } from './ring-form.js';
import { UNIT_RANGE, type SlidingWindowPolicy, type WindowState } from './sliding-policy.js';
import { chargeRing, readRing, unpackRing, type Ring } from './slots.js';

/** A log that a lower limit has left, at a limit that charges a ring: the ticks of its policy may be longer. */
const logBefore: Form<Stamps> = {
  isAhead: (stored, now, policy) => isLogAhead(stored, inLogTicks(now, policy)),
  read: (stored, now, policy) => currentLog(stored, inLogTicks(now, policy), logWindow(policy)),

  wait(log, now, policy, cost) {
    return fromLogTicks(waitForLog(log, inLogTicks(now, policy), logWindow(policy), cost), now, policy);
  },

  remaining: (log, _now, policy) => remainingInLog(log, policy),
  charge: (log, now, policy, units) => chargeRing(toRing(log, now, policy), units),

  describe(log, now, policy, result) {
    const described = describeLog(log, inLogTicks(now, policy), logWindow(policy), result);
    const replenishAfter = fromLogTicks(described.replenishAfter, now, policy);
    return { ...described, replenishAfter, resetAfter: fromLogTicks(described.resetAfter, now, policy) };
  },

  refund(stored, now, policy, { units, at }) {
    const { stamps, removed } = logBefore.read(stored, now, policy).remove(inLogTicks(at, policy), units);
    return { state: stamps, given: removed };
  },

  expiresAt(log, { logTick, tick, span }) {
    return log.length === 0 ? 0 : Math.ceil((log.at(log.length - 1) * logTick) / tick) + span;
  },

  terms: (log, _now, { window, logTick }) => logTerms(log, { window, tick: logTick }),
};

/** Counts units in slots, and the oldest slot by the share that the window still covers, or in full where it is strict. */
export const windowRing: Algorithm<SlidingWindowPolicy, WindowState> = {
  ...eitherForm({ log: logBefore, ring: ringForm, empty: (now, policy) => readRing(undefined, now, policy) }),
  packing: { path: () => 'ring', unpack: unpackRing },
};

/** The same of one slot and the one before it, whose states are three numbers: the default above a limit of 64. */
export const windowCounter: Algorithm<SlidingWindowPolicy, WindowState> = {
  ...windowRing,
  packing: {
    // A strict window that denies writes nothing, and this script charges first.
    path: ({ strict }) => (strict ? undefined : 'sw'),
    unpack: (numbers, position, now, policy) => pairOf(numbers[position]!, now, policy),
  },
  kernel: () => pairOfSlots,
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

/** A log of the window that ends now, as a ring. */
function toRing(stamps: Stamps, now: number, { slot, ring, tick, logTick }: SlidingWindowPolicy): Ring {
  const newest = Math.floor(now / slot);
  const counts = new Array<number>(ring + 1).fill(0);
  counts[0] = newest;
  for (let index = 0; index < stamps.length; index += 1) {
    counts[newest - Math.floor((stamps.at(index) * logTick) / (slot * tick)) + 1]! += 1;
  }
  return counts;
}

function pairOf(value: number, now: number, { slot }: SlidingWindowPolicy): Ring {
  return [Math.floor(now / slot), value % UNIT_RANGE, Math.floor(value / UNIT_RANGE)];
}
