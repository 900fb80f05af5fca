import type { Decision } from '../../model/decision.js';
import { TieredDecision, type Track } from './tiered-decision.js';

/**
 * The digests of the identities that a decision was about, with the units charged: to count which identities are denied most,
 * without their names. Nothing of it is in the decision itself, its JSON or an event.
 *
 * @param decision of `consume`, from any copy of the package
 * @returns one for each tier, largest first; empty for `peek` and for a copy of a decision
 * @example
 * subscribe('sluice:decision', ({ decision }) => {
 *   if (!decision.allowed) for (const { tier, digest } of tracksOf(decision)) count(tier, digest);
 * });
 */
export function tracksOf(decision: Decision): readonly Track[] {
  return TieredDecision.tracksOf(decision);
}
