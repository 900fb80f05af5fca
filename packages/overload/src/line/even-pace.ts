import type { Policy } from '@sluice/core/internal';
import type { Denied, Pace } from './pace.js';

/**
 * A limit whose units come back one after the other.
 *
 * @param stepOf the time between two claims of a cost
 * @param areLumps whether units that were told may come back together with others: 1 unit after 60 s and 9 after 110 s promise
 *   nothing after 66 s
 */
function evenPace(twins: readonly string[], stepOf: (policy: Policy, cost: number) => number, areLumps = true): Pace {
  return {
    twins,
    isTurned: false,
    slice: () => 0,

    next(denied) {
      const { policy, cost, now, exact, end, owed } = denied;
      const isOver = end < now + exact;
      const promised = isOver ? owed : areLumps ? toldBefore(denied, stepOf(policy, 1)) : 0;
      const units = Math.min(policy.capacity, promised + cost);
      const free = now + (promised === 0 ? exact : Math.max(exact, denied.waitFor(units)));
      const at = Math.max(free, end + stepOf(policy, cost));
      return { at, end: at };
    },

    first({ now, exact }) {
      return { at: now + exact, end: now + exact };
    },

    told: ({ policy, now, exact, end }) => 1 + Math.max(0, Math.round((end - now - exact) / stepOf(policy, 1))),
  };
}

/**
 * The units that were told and may come before this claim: no more than the pace allows until the end of the line, nor than are
 * free by then. The first alone counts a gap in the line as units, and would tell every second unit alone from then on.
 */
function toldBefore(denied: Denied, step: number): number {
  const { policy, cost, now, exact, end } = denied;
  let most = Math.min(policy.capacity, Math.floor((2 * (end - now - exact) + step) / (2 * step)) + cost);
  if (now + denied.waitFor(most) <= end) return most;
  let least = 0;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (now + denied.waitFor(middle) <= end) least = middle;
    else most = middle;
  }
  return least;
}

/** Units of a bucket refill one by one. */
export const bucketPace = evenPace(
  ['tb'],
  (policy, cost) => {
    const { quotient, remainder, limit } = policy as Policy & { readonly quotient: number; readonly remainder: number };
    return cost * quotient + Math.ceil((cost * remainder) / limit);
  },
  false,
);

/** Units of a window come back by their age. */
export const logPace = evenPace(['sl'], (policy, cost) => Math.ceil(spanOf(policy) / Math.floor(policy.limit / cost)));

/** At the full pace the rounding of slots would deny some of those that were told. */
export const windowPace = evenPace(['sw'], (policy, cost) => {
  const share = Math.floor(policy.limit / cost);
  return policy.numbers[KEEPS_LOG] === 1
    ? Math.ceil(spanOf(policy) / share)
    : Math.ceil((spanOf(policy) * 20) / (19 * share));
});

/** Where the numbers of a sliding window say that it keeps a log. */
const KEEPS_LOG = 7;

function spanOf({ window, tick }: Policy): number {
  return window / tick;
}
