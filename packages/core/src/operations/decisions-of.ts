import { TieredDecision } from '../limiter/decisions/tiered-decision.js';
import type { Decision } from '../model/decision.js';
import { isLimiterOf } from '../stores/limiters-of.js';
import type { Store } from '../stores/store.js';

/** True for a decision of a limiter of the store: a process may have several stores, and events are those of all. */
export function decisionsOf(store: Store): (decision: Decision) => boolean {
  return (decision) => {
    const limiter = TieredDecision.findLimiter(decision);
    return limiter !== undefined && isLimiterOf(store, limiter);
  };
}
