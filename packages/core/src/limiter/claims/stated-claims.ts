import type { Claim } from '../../model/claim.js';
import type { PlannedClaims } from './claim-set.js';
import { claimOf } from './claims-of-values.js';
import { storedKeyAt, type Identities } from './identities.js';
import type { PlanFacts } from './plan.js';

/** The claims of a request on a plan without functions except `key`, or those that are made in their place. */
export function plannedStatedClaims(plan: PlanFacts<never>, identities: Identities, cost: number): PlannedClaims {
  const changed = changedClaims(plan, identities, cost);
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

/** Undefined where no claim changes, as in most requests: that takes a loop alone. */
export function changedClaims(plan: PlanFacts<never>, identities: Identities, cost: number): PlannedClaims | undefined {
  const { tiers, keys, change } = plan;
  if (change === undefined) return undefined;
  let place = 0;
  while (place < keys.length && !change.isChanged(place, storedKeyAt(keys, identities, place).storeKey)) place += 1;
  if (place === keys.length) return undefined;
  const values = tiers.map(({ cost: own = cost, policy }, index) => ({
    key: Array.isArray(identities) ? (identities[index] as unknown) : identities,
    ...{ limit: policy.limit, cost: own, record: undefined, label: undefined },
  }));
  return Object.assign(change.claims({ tiers, values, partition: undefined }), { plan });
}
