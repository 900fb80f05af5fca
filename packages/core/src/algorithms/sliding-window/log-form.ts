import {
  describeLog,
  isLogAhead,
  logTerms,
  readLog,
  remainingInLog,
  waitForLog,
  type LogWindow,
} from '../sliding-window-log/log.js';
import { Stamps } from '../sliding-window-log/stamps.js';
import type { Form } from './form.js';
import type { SlidingWindowPolicy } from './sliding-policy.js';
import type { Ring } from './slots.js';

/** A log. The ticks of a policy whose limit charges a ring may be longer than those of the log. */
export const logForm: Form<Stamps> = {
  isAhead: (stored, now, policy) => isLogAhead(stored, inLogTicks(now, policy)),
  read: (stored, now, policy) => currentLog(stored, inLogTicks(now, policy), logWindow(policy)),

  wait(log, now, policy, cost) {
    return fromLogTicks(waitForLog(log, inLogTicks(now, policy), logWindow(policy), cost), now, policy);
  },

  remaining: (log, _now, policy) => remainingInLog(log, policy),

  describe(log, now, policy, result) {
    const described = describeLog(log, inLogTicks(now, policy), logWindow(policy), result);
    const replenishAfter = fromLogTicks(described.replenishAfter, now, policy);
    return { ...described, replenishAfter, resetAfter: fromLogTicks(described.resetAfter, now, policy) };
  },

  refund(stored, now, policy, { units, at }) {
    const { stamps, removed } = logForm.read(stored, now, policy).remove(inLogTicks(at, policy), units);
    return { state: stamps, given: removed };
  },

  expiresAt(log, { logTick, tick, span }) {
    return log.length === 0 ? 0 : Math.ceil((log.at(log.length - 1) * logTick) / tick) + span;
  },

  terms: (log, _now, { window, logTick }) => logTerms(log, { window, tick: logTick }),
};

/**
 * A ring as a log. The ring does not know when in its slot a unit was charged, so each gets the last moment of its slot:
 * no window admits more than the limit.
 */
export function toLog(ring: Ring, now: number, policy: SlidingWindowPolicy): Stamps {
  const stamps: number[] = [];
  for (let age = ring.length - 2; age >= 0; age -= 1) {
    const stamp = Math.min(now, Math.ceil((ring[0]! - age + 1) * policy.slot) - 1);
    for (let unit = 0; unit < ring[age + 1]!; unit += 1) stamps.push(stamp);
  }
  return logForm.read(new Stamps(stamps, 0, stamps.length), now, policy);
}

/** A log of the window that ends now, as a ring. */
export function toRing(stamps: Stamps, now: number, { slot, ring, tick, logTick }: SlidingWindowPolicy): Ring {
  const newest = Math.floor(now / slot);
  const counts = new Array<number>(ring + 1).fill(0);
  counts[0] = newest;
  for (let index = 0; index < stamps.length; index += 1) {
    counts[newest - Math.floor((stamps.at(index) * logTick) / (slot * tick)) + 1]! += 1;
  }
  return counts;
}

/** A log as it stands now. Stamps that lie in the future become stamps of now, because the clock has stepped back. */
function currentLog(stored: Stamps, now: number, window: LogWindow): Stamps {
  if (!isLogAhead(stored, now)) return readLog(stored, now, window);
  const stamps = Array.from({ length: stored.length }, (_, index) => Math.min(stored.at(index), now));
  return readLog(new Stamps(stamps, 0, stamps.length), now, window);
}

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
