import {
  changedTerms,
  type CheckedRates,
  type Claim,
  type ClaimSet,
  claimSetOf,
  type Override,
  type PlanFacts,
  type PlannedClaims,
  type TierDefinition,
  type TierValues,
} from '@sluice/core/internal';
import { overrideIn, type InForce, type TierOverride } from './in-force.js';
import type { TierOverrides } from './tier-overrides.js';

/** A plan with tiers that have overrides. */
export interface OverriddenPlan<S> extends PlanFacts<S> {
  /** Undefined for a tier without overrides. */
  readonly overrides: readonly (TierOverrides | undefined)[];
}

/** What tiers ask for a request, before a limit decides which of them apply. */
export interface Wanted {
  readonly tiers: readonly TierDefinition<never>[];
  readonly values: readonly TierValues[];
  readonly keyed: readonly Keyed[];
  /** The override that decides, for each tier. Undefined where none decides. */
  readonly found: readonly (TierOverride | undefined)[] | undefined;
}

/** What has a store key: a claim, or the identity of a tier. */
type Keyed = Pick<Claim, 'key'>;

/** The limit of an override. @param own of the tier */
type LimitInForce = (override: Override, own: unknown) => unknown;

const ruledLimit: LimitInForce = ({ limit }) => limit;
/** Operators see what a tier has counted, also while it does not apply. */
export const shownLimit: LimitInForce = ({ limit }, own) => limit ?? own;

/** The claims of a request by the overrides in force, on tiers without functions except `key`. */
export function staticClaimsInForce(plan: OverriddenPlan<never>, claimSet: PlannedClaims, cost: number): PlannedClaims {
  const { tiers, overrides } = plan;
  const { claims } = claimSet;
  const found = overridesFor(claims, overrides);
  if (found === undefined) return claimSet;
  const values = tiers.map(({ cost: own, policy }): TierValues => {
    const units = typeof own === 'number' ? own : cost;
    return { key: undefined, limit: policy.limit, cost: units, record: undefined, label: undefined, own: undefined };
  });
  return Object.assign(overriddenClaims({ tiers, values, keyed: claims, found }), { plan });
}

/** The claims of a request by the overrides in force. A tier that does not apply by its limit may apply by an override. */
export function claimsInForce(
  plan: OverriddenPlan<never>,
  values: readonly TierValues[],
  partition: string | undefined,
): PlannedClaims {
  const { tiers, overrides } = plan;
  const claimSet = Object.assign(claimSetOf(plan, values, partition), { plan });
  const areAllClaimed = claimSet.claims.length === tiers.length;
  if (areAllClaimed && overridesFor(claimSet.claims, overrides) === undefined) return claimSet;
  const keyed = tiers.map((tier, place) => keyedBy(tier, values[place]!.key, partition));
  const found = overridesFor(keyed, overrides);
  return found === undefined ? claimSet : Object.assign(overriddenClaims({ tiers, values, keyed, found }), { plan });
}

/** The store key of an identity in a tier. Empty for what is no identity: the tier may not apply. */
export function keyedBy({ storeKeys }: TierDefinition<never>, identity: unknown, partition: string | undefined): Keyed {
  return { key: storeKeys.keyOf(identity, partition) ?? '' };
}

/** The override that decides for each key. Undefined where none decides. A loop, because most requests have none. */
export function overridesFor(keyed: readonly Keyed[], overrides: OverriddenPlan<never>['overrides']): Wanted['found'] {
  let found: (TierOverride | undefined)[] | undefined;
  for (let place = 0; place < keyed.length; place += 1) {
    const override = overrides[place]?.inForceFor(keyed[place]!.key);
    if (override !== undefined) (found ??= keyed.map(() => undefined))[place] = override;
  }
  return found;
}

/** Whether an override decides for a request that has no claims yet. */
export function hasOverride(
  request: Pick<CheckedRates, 'storeKeyAt'>,
  overrides: OverriddenPlan<never>['overrides'],
): boolean {
  for (let place = 0; place < overrides.length; place += 1) {
    if (overrides[place]?.inForceFor(request.storeKeyAt(place)) !== undefined) return true;
  }
  return false;
}

/** The claims by the limits of overrides, where there is one. */
export function overriddenClaims({ tiers, values, keyed, found }: Wanted, limitInForce = ruledLimit): ClaimSet {
  const changed = values.map((each, place) => {
    const override = found?.[place]?.override;
    return override === undefined ? each : atLimit(limitInForce(override, each.limit), each);
  });
  const keys = keyed.map(({ key }) => ({ keyOf: () => (key === '' ? undefined : key) }));
  const claimSet = claimSetOf({ tiers, keys }, changed, undefined);
  if (found === undefined) return claimSet;
  const overrides = found.filter((each) => each !== undefined);
  const overridden: InForce = {
    overrides,
    ownClaims({ tier }) {
      const place = tiers.indexOf(tier);
      return claimSetOf({ tiers: [tier], keys: [keys[place]!] }, [values[place]!], undefined);
    },
  };
  // A lease would spend units after the end, which were charged before it.
  const claims = claimSet.claims.map((claim) =>
    claim.terms?.lease !== undefined && overrideIn(overridden, claim.tier)?.override.until !== undefined
      ? { ...claim, terms: changedTerms(claim.terms, { lease: undefined }) }
      : claim,
  );
  return Object.assign(claimSet, { claims, overridden });
}

/** By name, because a spread takes as long as the rest of a check in memory. */
function atLimit(limit: unknown, { key, cost, record, label, own }: TierValues): TierValues {
  return { key, limit, cost, record, label, own };
}
