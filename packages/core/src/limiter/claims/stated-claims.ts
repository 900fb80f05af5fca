import { changedTerms, type Claim } from '../../model/claim.js';
import { admitsNothing } from '../../model/policy.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { PlannedClaims } from './claim-set.js';
import { storedKeyAt, type Identities } from './identities.js';
import type { PlanFacts } from './plan.js';

/** The claims of a request on a plan without functions except `key`, or those that are made in their place. */
export function plannedStatedClaims(plan: PlanFacts<never>, identities: Identities, cost: number): PlannedClaims {
  const changed = plan.change && changedClaims(plan, identities, cost);
  return changed ?? { plan, tiers: plan.tiers, claims: statedClaims(plan, identities, cost), labels: undefined };
}

/** Such claims as the tiers state them: what they ask was checked with their options. */
export function statedClaims(plan: PlanFacts<never>, identities: Identities, cost: number): readonly Claim[] {
  const { tiers, keys } = plan;
  const claims = new Array<Claim>(tiers.length);
  for (let index = 0; index < tiers.length; index += 1) {
    const tier = tiers[index]!;
    const units = typeof tier.cost === 'number' ? tier.cost : cost;
    const { storeKey } = storedKeyAt(keys, identities, index);
    claims[index] = claimOf(tier, storeKey, { cost: units, policy: tier.policy, record: undefined });
  }
  return claims;
}

/** For a plan with a change. Undefined where no claim changes, as in most requests: that takes a loop alone. */
export function changedClaims(plan: PlanFacts<never>, identities: Identities, cost: number): PlannedClaims | undefined {
  const { tiers, keys, change } = plan;
  let place = 0;
  while (place < keys.length && !change!.isChanged(place, storedKeyAt(keys, identities, place).storeKey)) place += 1;
  if (place === keys.length) return undefined;
  const values = tiers.map(({ cost: own = cost, policy: { limit } }, index) => {
    const key: unknown = Array.isArray(identities) ? identities[index] : identities;
    return { key, limit, cost: own, record: undefined, label: undefined };
  });
  return Object.assign(change!.claims({ tiers, values, partition: undefined }), { plan });
}

/** At a limit of 0 nothing fits. */
const NOTHING_FITS = { charge: 'admitted', takesAll: false, lease: undefined } as const;

/** Built for each request: claims from a cache cost four cache misses of the processor, more than an allocation. */
export function claimOf(
  tier: TierDefinition<never>,
  storeKey: string,
  { cost, policy, record }: Pick<Claim, 'cost' | 'policy' | 'record'>,
): Claim {
  const isEmpty = admitsNothing(policy);
  return {
    tier: tier.name,
    // The state of its other limits stays as it is.
    key: isEmpty ? `${storeKey}:0` : storeKey,
    policy,
    cost: tier.takesAll && !isEmpty && cost > policy.capacity ? policy.capacity : cost,
    shadow: tier.shadow,
    record,
    terms: isEmpty ? changedTerms(tier, NOTHING_FITS) : tier,
    // So that a claim that gets a name has the same shape: code that reads both shapes takes twice as long.
    name: undefined,
  };
}
