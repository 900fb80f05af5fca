import { type Decision, TieredDecision } from '@sluice/core/internal';

/** @param key in the store. `digestIn` finds the digest in it */
type KeyVisitor = (tier: string, key: string, label: string | undefined) => void;

/** Calls back with the store key of each tier of a decision: on the hot path, where `tracksOf` would make objects. */
export function visitKeys(decision: Decision, visit: KeyVisitor): void {
  const claimSet = TieredDecision.claimSetOf(decision);
  for (const { tier, key } of claimSet?.claims ?? []) visit(tier, key, claimSet!.labels?.get(tier));
}
