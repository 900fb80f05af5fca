import {
  type AskedClaims,
  changedTerms,
  type Claim,
  type ClaimChange,
  type ClaimSet,
  claimSetOf,
  type Override,
  type TierChange,
  type TierDefinition,
  type TierValues,
} from '@sluice/core/internal';
import { overrideIn, type InForce, type TierOverride } from './in-force.js';
import { OverriddenClaims } from './overridden-claims.js';
import type { OverrideTable } from './override-table.js';
import { TierOverrides } from './tier-overrides.js';

/** Overrides in the place of the limits of tiers, until one of an identity comes or goes. */
export class OverrideChange implements ClaimChange {
  readonly #table: OverrideTable;
  readonly #isPartitioned: boolean;
  readonly #overrides = new WeakMap<TierDefinition<never>, TierOverrides>();

  constructor(table: OverrideTable, isPartitioned: boolean) {
    this.#table = table;
    this.#isPartitioned = isPartitioned;
  }

  on(tiers: readonly TierDefinition<never>[]): TierChange | undefined {
    const overrides = tiers.map((tier) => this.#overridesOf(tier));
    if (overrides.every((each) => each === undefined)) return undefined;
    return {
      isChanged: (place, storeKey) => overrides[place]?.inForceFor(storeKey) !== undefined,
      claims: (asked) => overriddenClaims(asked, overrides, ruledLimit),
      shownClaims: (asked) => overriddenClaims(asked, overrides, shownLimit),
    };
  }

  overrides(): readonly Override[] {
    return this.#table.list();
  }

  #overridesOf(tier: TierDefinition<never>): TierOverrides | undefined {
    const owned = this.#table.overridesOf(tier.name);
    if (owned === undefined) return undefined;
    const known = this.#overrides.get(tier) ?? new TierOverrides(tier, owned, this.#isPartitioned);
    this.#overrides.set(tier, known);
    return known;
  }
}

/** The limit of an override. @param own of the tier */
type LimitInForce = (override: Override, own: unknown) => unknown;

const ruledLimit: LimitInForce = ({ limit }) => limit;
/** Operators see what a tier has counted, also while it does not apply. */
const shownLimit: LimitInForce = ({ limit }, own) => limit ?? own;

/** The claims by the limits of overrides, where there is one. A tier that does not apply by its limit may apply by an override. */
function overriddenClaims(
  { tiers, values, partition }: AskedClaims,
  overrides: readonly (TierOverrides | undefined)[],
  limitInForce: LimitInForce,
): ClaimSet {
  const keys = tiers.map((tier, place) => keyOf(tier.storeKeys.keyOf(values[place]!.key, partition)));
  const found: TierOverride[] = [];
  const changed = values.map((each, place) => {
    const override = overrides[place]?.inForceFor(keys[place]!.storeKey);
    if (override === undefined) return each;
    found.push(override);
    return atLimit(limitInForce(override.override, each.limit), each);
  });
  const { tiers: applying, claims, labels } = claimSetOf({ tiers, keys }, changed, undefined);
  if (found.length === 0) return { tiers: applying, claims, labels };
  const inForce: InForce = {
    overrides: found,
    ownClaims({ tier }) {
      const place = tiers.indexOf(tier);
      return claimSetOf({ tiers: [tier], keys: [keys[place]!] }, [values[place]!], undefined);
    },
  };
  const lasting = claims.map((claim) => withoutLease(claim, inForce));
  return { tiers: applying, claims: lasting, labels, changed: new OverriddenClaims(inForce) };
}

/** A store key that is known. Undefined for what is no identity: the tier may not apply. */
function keyOf(storeKey: string | undefined) {
  return { storeKey, keyOf: () => storeKey };
}

/** A lease would spend units after the end of an override, which were charged before it. */
function withoutLease(claim: Claim, inForce: InForce): Claim {
  const { terms } = claim;
  if (terms?.lease === undefined || overrideIn(inForce, claim.tier)?.override.until === undefined) return claim;
  return { ...claim, terms: changedTerms(terms, { lease: undefined }) };
}

/** By name, because a spread takes as long as the rest of a check in memory. */
function atLimit(limit: unknown, { key, cost, record, label, own, asked }: TierValues): TierValues {
  return { key, limit, cost, record, label, own, asked };
}
