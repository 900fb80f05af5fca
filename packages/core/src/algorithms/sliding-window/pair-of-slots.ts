import type { Policy } from '../../model/policy.js';
import type { Cells, Kernel } from '../kernel.js';
import { UNIT_RANGE } from './sliding-policy.js';
import type { Ring, Slots, SlotWindow } from './slots.js';

// The numbers of a ring of two slots: the number of the newest one, and the units of both.
const NEWER = 1;
const OLDER = 2;

type PairPolicy = Policy & Slots & SlotWindow;

/**
 * A sliding window of one slot, and the one before it: the default above a limit of 64. It decides as slots.ts does on a ring of
 * two slots, without loops.
 */
export const pairOfSlots: Kernel<PairPolicy> = {
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
    return waitFor(cells, at, now, policy, policy.limit - cost);
  },

  remaining,

  charge(cells, at, now, policy, cost) {
    cells[at + NEWER]! += Math.min(cost, remaining(cells, at, now, policy));
  },

  describe(cells, at, now, policy, { charged, retryAfter }) {
    const { limit, slot } = policy;
    const left = remaining(cells, at, now, policy);
    const replenishAfter = left === limit ? 0 : waitFor(cells, at, now, policy, limit - left - 1);
    const turns = cells[at + NEWER]! > 0 ? 2 : cells[at + OLDER]! > 0 ? 1 : 0;
    const resetAfter = turns === 0 ? 0 : (cells[at]! + turns) * slot - now;
    return { charged, limit, remaining: left, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },
};

/** The slots of now in a reply: two counts as one integer. */
export function unpackPair(numbers: readonly number[], position: number, now: number, { slot }: Slots): Ring {
  const counts = numbers[position]!;
  return [Math.floor(now / slot), counts % UNIT_RANGE, Math.floor(counts / UNIT_RANGE)];
}

/** Units charged under a larger limit count as this limit at most. */
function remaining(cells: Cells, at: number, now: number, { limit, slot, strict }: PairPolicy): number {
  const newer = Math.min(cells[at + NEWER]!, limit);
  const older = Math.min(cells[at + OLDER]!, limit);
  const covered = slot - (now - cells[at]! * slot);
  const counted = strict || older === 0 ? older : Math.floor((older * covered + slot - 1) / slot);
  return Math.max(0, limit - newer - counted);
}

/** Ticks until at most `need` units count, when nothing else is charged. */
function waitFor(cells: Cells, at: number, now: number, { limit, slot, strict }: PairPolicy, need: number): number {
  const elapsed = now - cells[at]! * slot;
  const newer = Math.min(cells[at + NEWER]!, limit);
  const older = Math.min(cells[at + OLDER]!, limit);
  if (newer + (strict ? older : 0) <= need) return Math.max(0, partOf(older, need - newer, slot, strict) - elapsed);
  // Then the newer slot is the one that leaves.
  if (strict && newer > need) return 2 * slot - elapsed;
  return Math.max(0, slot + partOf(newer, need, slot, strict) - elapsed);
}

/** Ticks of its slot until at most `need` of its units count. */
function partOf(units: number, need: number, slot: number, strict: boolean): number {
  return strict || units === 0 ? 0 : slot - Math.floor((need * slot) / units);
}
