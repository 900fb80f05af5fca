import type { Decision } from '../../model/decision.js';
import type { Holder } from '../../model/holder.js';
import { TieredDecision } from './tiered-decision.js';

interface WatchingLimiter {
  watch?(decision: Decision, holder: Holder): void;
}

/** Has renewals of what a decision holds ask whether its holder still runs. A limiter of an application may not do so. */
export function watch(decision: Decision, holder: Holder): void {
  const limiter: WatchingLimiter | undefined = TieredDecision.findLimiter(decision);
  limiter?.watch?.(decision, holder);
}
