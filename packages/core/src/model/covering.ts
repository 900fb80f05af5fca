import type { Claim } from './claim.js';
import type { Policy } from './policy.js';

/** What the algorithm of a balance has that pays in the place of other tiers: its facet `covering`. */
export interface Covering {
  /** The names of these tiers. */
  readonly tiers: readonly string[];
  /** Tells it apart from balances that cover others. */
  readonly text: string;
}

/** The names of the tiers in whose place a balance pays. Undefined for all other policies. */
export function coveredBy({ algorithm }: Policy): readonly string[] | undefined {
  return (algorithm.facets['covering'] as Covering | undefined)?.tiers;
}

/** A claim that denies its request for good: it costs more than its tier can hold, and no balance may pay. */
export function impossibleIn(group: readonly Claim[]): Claim | undefined {
  if (group.some(({ policy }) => coveredBy(policy) !== undefined)) return undefined;
  return group.find(({ shadow, cost, policy }) => !shadow && cost > policy.capacity);
}
