import { TieredDecision } from '../limiter/decisions/tiered-decision.js';
import type { Decision } from '../model/decision.js';
import { isLimiterOf } from '../stores/limiters-of.js';
import type { Store } from '../stores/store.js';

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
