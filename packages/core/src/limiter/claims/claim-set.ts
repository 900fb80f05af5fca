import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Answer } from '../../stores/store.js';

/** What is to be known of a tier that asks. */
export interface TierInfo {
  readonly name: string;
  readonly shadow: boolean;
  readonly policy: Policy;
  /** Undefined where it goes by the cost of the request. */
  readonly cost: unknown;
}

/** What a tier asks for one request. Without a claim its limit is 0: it never fits, and there is nothing to keep. */
export interface TierClaim {
  readonly tier: TierInfo;
  readonly cost: number;
  readonly claim: Claim | undefined;
}

/** What a request asks of the tiers that apply, in their order. */
export class ClaimSet {
  /** The claims of those that have one. */
  readonly claims: readonly Claim[];
  /** A limit of 0 denies the request, whatever a store would say. */
  readonly isRefused: boolean;
  readonly #tiers: readonly TierInfo[];
  #asks: readonly TierClaim[] | undefined;

  /** @param claims one for each tier, in their order */
  constructor(tiers: readonly TierInfo[], claims: readonly Claim[], asks?: readonly TierClaim[]) {
    this.#tiers = tiers;
    this.claims = claims;
    this.#asks = asks;
    this.isRefused = asks !== undefined && asks.some(refuses);
  }

  /** What is asked where some tiers may have no claim. */
  static of(asks: readonly TierClaim[]): ClaimSet {
    const tiers = asks.map(({ tier }) => tier);
    const claims = asks.flatMap(({ claim }) => claim ?? []);
    return new ClaimSet(tiers, claims, asks);
  }

  get asks(): readonly TierClaim[] {
    this.#asks ??= this.claims.map((claim, index) => ({ tier: this.#tiers[index]!, cost: claim.cost, claim }));
    return this.#asks;
  }

  /** The outcomes of the store in the order of the tiers, with those that no store was asked for. */
  outcomes({ outcomes }: Pick<Answer, 'outcomes'>): readonly Outcome[] {
    // Nearly always all were asked for, and all have answered.
    if (outcomes.length === this.#tiers.length) return outcomes;
    let next = 0;
    return this.asks.flatMap(({ tier, cost, claim }) => {
      if (claim === undefined) return zeroOutcome(tier, cost);
      // An answer from elsewhere than the store leaves tiers out.
      return outcomes[next]?.tier === tier.name ? outcomes[next++]! : [];
    });
  }
}

/** A limit of 0 denies what costs anything. */
function refuses({ tier, cost, claim }: TierClaim): boolean {
  return claim === undefined && cost > 0 && !tier.shadow;
}

/** The outcome of a tier whose limit is 0 for this subject. */
function zeroOutcome({ name, shadow }: TierInfo, cost: number): Outcome {
  const allowed = cost === 0;
  return {
    tier: name,
    allowed,
    never: !allowed,
    shadow,
    limit: 0,
    remaining: 0,
    retryAfter: allowed ? 0 : Infinity,
    replenishAfter: 0,
    resetAfter: 0,
    delay: 0,
  };
}
