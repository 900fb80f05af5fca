import type { Decision } from '../../model/decision.js';
import { ELSEWHERE } from '../../model/elsewhere.js';
import { watch } from './watch.js';

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
