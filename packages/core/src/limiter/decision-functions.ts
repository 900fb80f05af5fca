import type { Decision } from '../model/decision.js';
import type { Limiter } from './limiter.js';
import { TieredDecision } from './decisions/tiered-decision.js';
import type { Extension } from './decisions/extension.js';
import type { Meter, MeterOptions } from './decisions/meter.js';
import type { Costs } from './decisions/settlement.js';

/**
 * Gives back what a decision took, like `refund` of its limiter, for handlers without the limiter.
 *
 * @param units the most to give back, of each tier or of the tiers by name. @default all
 * @returns the units given back, summed over the tiers
 * @throws UsageError, as a rejection, for a decision that `consume` has not returned
 * @example await refund(request.rateLimit, { uploads: 1 });
 */
export async function refund(decision: Decision, units?: Costs): Promise<number> {
  return limiterOf(decision).refund(decision, units);
}

/**
 * Corrects a reserved cost, like `settle` of the limiter of the decision, for handlers without the limiter.
 *
 * @param cost of the request, for all tiers without a cost of their own; or of the tiers by name
 * @returns the units charged, less the units refunded, summed over the tiers
 * @throws UsageError, as a rejection, for a decision that `consume` has not returned
 * @example await settle(request.rateLimit, usage.totalTokens);
 */
export async function settle(decision: Decision, cost: Costs): Promise<number> {
  return limiterOf(decision).settle(decision, cost);
}

/**
 * Charges more for a request that runs, like `extend` of the limiter of the decision, for handlers without the limiter.
 *
 * @param units of the tiers by name
 * @returns the decision about these units alone
 * @throws UsageError, as a rejection, for a decision that was denied, refunded or settled, or that `consume` has not
 *   returned
 * @example const { allowed } = await extend(request.rateLimit, { tokens: 256 });
 */
export async function extend(decision: Decision, units: Extension): Promise<Decision> {
  return limiterOf(decision).extend(decision, units);
}

/**
 * Counts a stream while it runs, like `meter` of the limiter of the decision, for handlers without the limiter.
 *
 * @throws UsageError for a decision as in `extend`, for a tier that it does not have, or a lot below 1
 * @example const tokens = meter(request.rateLimit, { tier: 'tokens', lot: 256, response });
 */
export function meter(decision: Decision, options: MeterOptions): Meter {
  return limiterOf(decision).meter(decision, options);
}

/**
 * Ends what a decision holds, like `release` of its limiter, for handlers without the limiter: what it stands for runs no
 * longer.
 *
 * @returns the units that came back, summed over the tiers
 * @throws UsageError, as a rejection, for a decision that `consume` has not returned
 * @example socket.on('close', () => void release(decision));
 */
export async function release(decision: Decision): Promise<number> {
  return limiterOf(decision).release(decision);
}

function limiterOf(decision: Decision): Limiter<never> {
  return TieredDecision.limiterOf(decision) as Limiter<never>;
}
