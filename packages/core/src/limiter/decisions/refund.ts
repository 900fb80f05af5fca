import type { Decision } from '../../model/decision.js';
import { limiterOf } from './charged-decision.js';
import type { Limiter } from '../limiter.js';
import type { Costs } from './settlement.js';

/**
 * Gives back what a decision took, as `refund` of the limiter that has made it: for handlers that have the decision and
 * not the limiter.
 *
 * @returns the units given back, added up over the tiers
 */
export async function refund(decision: Decision, units?: Costs): Promise<number> {
  return (limiterOf(decision) as Limiter<never>).refund(decision, units);
}

/**
 * Puts a reserved cost right, as `settle` of the limiter that has made the decision: for handlers that have the decision
 * and not the limiter.
 *
 * @returns the units charged besides, less those given back, added up over the tiers
 */
export async function settle(decision: Decision, cost: Costs): Promise<number> {
  return (limiterOf(decision) as Limiter<never>).settle(decision, cost);
}
