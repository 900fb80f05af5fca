import { type Decision, isLimiterOf, type Store, TieredDecision } from '@sluice/core/internal';

/** True for a decision of a limiter of the store: a process may have several stores, and events are those of all. */
export function decisionsOf(store: Store): (decision: Decision) => boolean {
  // Usually the same limiter decides again.
  let last: object | undefined;
  let isOurs = false;
  return (decision) => {
    const limiter = TieredDecision.findLimiter(decision);
    if (limiter === undefined) return false;
    if (limiter !== last) {
      last = limiter;
      isOurs = isLimiterOf(store, limiter);
    }
    return isOurs;
  };
}
