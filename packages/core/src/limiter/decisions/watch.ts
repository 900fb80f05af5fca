import type { Decision } from '../../model/decision.js';
import { type Holder, ELSEWHERE } from '../../model/holder.js';
import { TieredDecision } from './tiered-decision.js';

/** Lets the renewals of what a decision holds check whether its holder still runs. A limiter of the application may lack this. */
export function watch(decision: Decision, holder: Holder): void {
  const limiter: { watch?(decision: Decision, holder: Holder): void } | undefined =
    TieredDecision.findLimiter(decision);
  limiter?.watch?.(decision, holder);
}

/**
 * Leaves the permits of a decision to a caller in another process, who renews and releases them by `CarriedCorrections`. This
 * process forgets them: it neither renews them nor ends them when its limiter closes.
 *
 * @example
 * const decision = await limiter.consume(subject);
 * const charges = carriedOf(limiter, decision);
 * handOver(decision);
 */
export function handOver(decision: Decision): void {
  watch(decision, ELSEWHERE);
}
