import type { Decision } from '../../model/decision.js';
import type { Holder } from '../../model/holder.js';
import { TieredDecision } from './tiered-decision.js';

/** Lets the renewals of what a decision holds check whether its holder still runs. A limiter of the application may lack this. */
export function watch(decision: Decision, holder: Holder): void {
  const limiter: { watch?(decision: Decision, holder: Holder): void } | undefined =
    TieredDecision.findLimiter(decision);
  limiter?.watch?.(decision, holder);
}
