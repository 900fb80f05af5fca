import type { Decision } from '../../model/decision.js';
import { digestIn } from '../keys/store-keys.js';
import { TieredDecision } from './tiered-decision.js';

/** A key of a decision, its cost and what was charged. */
export interface Track {
  readonly tier: string;
  /** Of the identity, as in the keys of the store. Without a `secret` an address can be guessed from it. */
  readonly digest: string;
  readonly cost: number;
  /** Units. */
  readonly charged: number;
  /** The text that `label` of the tier has returned. It is absent for a tier without `label`. */
  readonly label?: string;
}

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
  const given = Object(decision) as Decision;
  const { claims, labels } = TieredDecision.claimSetOf(given) ?? { claims: [] };
  const charged = new Map<string, number>();
  for (const { key, units } of TieredDecision.receiptsOf(given)) charged.set(key, (charged.get(key) ?? 0) + units);
  return claims.map(({ tier, key, cost }) => {
    const label = labels?.get(tier);
    const track = { tier, digest: digestIn(key, tier), cost, charged: charged.get(key) ?? 0 };
    return label === undefined ? track : { ...track, label };
  });
}
