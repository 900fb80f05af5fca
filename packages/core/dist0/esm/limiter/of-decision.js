import { limiterOf } from './charged-decision.js';
/**
 * Gives back what a decision took, as `refund` of the limiter that has made it: for handlers that have the decision and
 * not the limiter.
 *
 * @returns the units given back, added up over the tiers
 */
export async function refund(decision, units) {
    return limiterOf(decision).refund(decision, units);
}
/**
 * Puts a reserved cost right, as `settle` of the limiter that has made the decision: for handlers that have the decision
 * and not the limiter.
 *
 * @returns the units charged besides, less those given back, added up over the tiers
 */
export async function settle(decision, cost) {
    return limiterOf(decision).settle(decision, cost);
}
//# sourceMappingURL=of-decision.js.map