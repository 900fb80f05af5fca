import { claimOf } from '../limiter/claims/claims-of-values.js';
import { isZeroLimit } from '../limiter/claims/zero-limit.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Policies } from '../limiter/tiers/tier-policies.js';
import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { OverrideEntry } from './override-entry.js';

/** An override in the place of the limit of a tier: what its checks have in common. */
export class TierOverride {
  readonly entry: OverrideEntry;
  /** For `override` of an outcome. */
  readonly reported: NonNullable<Outcome['override']>;
  /** One unit of its key by the limit of the tier: the store says its time with the state. */
  readonly probe: Claim;
  readonly #tier: TierDefinition<never>;
  /** No request fits its limit. */
  readonly deniesAll: boolean;
  /** Undefined where no limit or one of 0 decides, and for a limit that the tier cannot have. */
  readonly #policies: Policies | undefined;

  /** @param key without a mark */
  constructor(tier: TierDefinition<never>, entry: OverrideEntry, key: string) {
    const { limit, until } = entry.override;
    this.entry = entry;
    this.reported = until === undefined ? {} : { until };
    this.probe = claimOf(tier, key, { cost: 0, policies: tier, record: undefined, slotHint: { slot: 0 } });
    this.#tier = tier;
    this.deniesAll = isZeroLimit(limit, tier.policy);
    const isLimit = limit !== null && !this.deniesAll && tier.mistakeIn(limit) === undefined;
    this.#policies = isLimit ? tier.policiesAt(limit) : undefined;
  }

  /** False for a limit that the tier cannot have, and for a tier that is off. */
  get applies(): boolean {
    const hasNoClaim = this.entry.override.limit === null || this.deniesAll;
    return !this.#tier.isOff && (hasNoClaim || this.#policies !== undefined);
  }

  /** By its limit. */
  claim(cost: number): Claim {
    const policies = this.#policies!;
    const claim = claimOf(this.#tier, this.probe.key, {
      cost,
      policies,
      record: undefined,
      slotHint: this.probe.slotHint,
    });
    // A lease would spend units after the end, which were charged before it.
    return claim.lease !== undefined && this.entry.isEnding ? { ...claim, lease: undefined } : claim;
  }
}
