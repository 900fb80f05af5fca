import type { Policy } from '../../model/policy.js';
import type { Kernel } from '../kernel.js';
import { emptyAfter, used, waitForRing, type Slots, type SlotWindow } from './slots.js';

// The numbers of a ring of two slots: the number of the newest one, and the units of both.
const NEWER = 1;
const OLDER = 2;

/** A sliding window of one slot, and the one before it: the default above a limit of 64. */
export const pairOfSlots: Kernel<Policy & Slots & SlotWindow> = {
  width: 3,

  roll(cells, at, now, { slot }) {
    const newest = Math.floor(now / slot);
    const stored = cells[at]!;
    if (stored < newest) {
      cells[at + OLDER] = stored + 1 === newest ? cells[at + NEWER]! : 0;
      cells[at + NEWER] = 0;
    }
    cells[at] = newest;
    return stored > newest;
  },

  wait(cells, at, now, policy, cost) {
    return waitForRing(cells, now, policy, policy, policy.limit - cost, at);
  },

  remaining(cells, at, now, policy) {
    return Math.max(0, policy.limit - used(cells, now, policy, policy, at));
  },

  charge(cells, at, now, policy, cost) {
    cells[at + NEWER]! += Math.min(cost, pairOfSlots.remaining(cells, at, now, policy));
  },

  describe(cells, at, now, policy, { charged, retryAfter }) {
    const { limit } = policy;
    const remaining = pairOfSlots.remaining(cells, at, now, policy);
    const replenishAfter = remaining === limit ? 0 : waitForRing(cells, now, policy, policy, limit - remaining - 1, at);
    const resetAfter = emptyAfter(cells, now, policy, at);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },
};
