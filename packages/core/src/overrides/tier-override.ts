import type { ClaimSet } from '../limiter/claims/claim-set.js';
import { claimOf } from '../limiter/claims/claims-of-values.js';
import { isZeroLimit } from '../limiter/claims/zero-limit.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Policies } from '../limiter/tiers/tier-policies.js';
import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Override } from '../model/override.js';

/** An override in the place of the limit of a tier: what its checks have in common. */
export class TierOverride {
  readonly override: Override;
  readonly tier: TierDefinition<never>;
  /** For `override` of an outcome. */
  readonly reported: NonNullable<Outcome['override']>;
  /** No request fits its limit. */
  readonly deniesAll: boolean;
  /** Without a mark. */
  readonly #key: string;
  readonly #slotHint = { slot: 0 };
  /** Undefined where no limit or one of 0 decides, and for a limit that the tier cannot have. */
  readonly #policies: Policies | undefined;

  /** @param key without a mark */
  constructor(tier: TierDefinition<never>, override: Override, key: string) {
    const { limit, until } = override;
    this.override = override;
    this.tier = tier;
    this.reported = until === undefined ? {} : { until };
    this.#key = key;
    this.deniesAll = isZeroLimit(limit, tier.policy);
    const isLimit = limit !== null && !this.deniesAll && tier.mistakeIn(limit) === undefined;
    this.#policies = isLimit ? tier.policiesAt(limit) : undefined;
  }

  /** False for a limit that the tier cannot have, and for a tier that is off. */
  get applies(): boolean {
    const hasNoClaim = this.override.limit === null || this.deniesAll;
    return !this.tier.isOff && (hasNoClaim || this.#policies !== undefined);
  }

  /** By its limit. */
  claim(cost: number): Claim {
    const claim = this.#claimBy(this.#policies!, cost);
    // A lease would spend units after the end, which were charged before it.
    return claim.lease !== undefined && this.override.until !== undefined ? { ...claim, lease: undefined } : claim;
  }

  /** By the limit of the tier. */
  ownClaims(cost: number): ClaimSet {
    const claims = [this.#claimBy(this.tier, cost)];
    return { tiers: [this.tier], claims, zeroLimits: undefined, labels: undefined };
  }

  #claimBy(policies: Policies, cost: number): Claim {
    return claimOf(this.tier, this.#key, { cost, policies, record: undefined, slotHint: this.#slotHint });
  }
}
