import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Answer } from '../../stores/store.js';
import type { KeyBounds } from '../key-function.js';

/** The facts of a tier that a decision needs. */
export interface TierInfo {
  readonly name: string;
  readonly shadow: boolean;
  readonly policy: Policy;
  /** Undefined for a tier that takes the cost of the request. */
  readonly cost: unknown;
  readonly bounds: KeyBounds | undefined;
}

/** The part of one tier in a request. */
export interface TierClaim {
  readonly tier: TierInfo;
  readonly cost: number;
  /** Undefined for a limit of 0: nothing fits it, so that no store has a state of it. */
  readonly claim: Claim | undefined;
}

/** The claims of a request on all tiers that apply. */
export class ClaimSet {
  /** The claims that a store decides, in the order of the tiers. */
  readonly claims: readonly Claim[];
  readonly #tiers: readonly TierInfo[];
  #tierClaims: readonly TierClaim[] | undefined;

  /** @param claims one for each tier, or without those of limits of 0; then `tierClaims` names all tiers */
  constructor(tiers: readonly TierInfo[], claims: readonly Claim[], tierClaims?: readonly TierClaim[]) {
    this.#tiers = tiers;
    this.claims = claims;
    this.#tierClaims = tierClaims;
  }

  static of(tierClaims: readonly TierClaim[]): ClaimSet {
    const claims = tierClaims.flatMap(({ claim }) => claim ?? []);
    return new ClaimSet(
      tierClaims.map(({ tier }) => tier),
      claims,
      tierClaims,
    );
  }

  /** In the order of the tiers. Most decisions need none, so they are made on demand. */
  tierClaims(): readonly TierClaim[] {
    this.#tierClaims ??= this.#tiers.map((tier, index) => {
      const claim = this.claims[index]!;
      return { tier, cost: claim.cost, claim };
    });
    return this.#tierClaims;
  }

  /** Whether the key of a tier is an address, or a value that the client has presented. */
  isBoundedBy(bounds: KeyBounds): boolean {
    return this.#tiers.some((tier) => tier.bounds === bounds);
  }

  /** Whether a limit of 0 denies the request, whatever the store answers. */
  isDeniedByZeroLimit(): boolean {
    if (this.claims.length === this.#tiers.length) return false;
    return this.tierClaims().some(({ tier, cost, claim }) => claim === undefined && cost > 0 && !tier.shadow);
  }

  /** The outcomes of an answer with those of limits of 0, in the order of the tiers. */
  outcomes({ outcomes }: Pick<Answer, 'outcomes'>): readonly Outcome[] {
    if (outcomes.length === this.#tiers.length) return outcomes;
    let next = 0;
    return this.tierClaims().flatMap(({ tier, cost, claim }) => {
      if (claim === undefined) return zeroLimitOutcome(tier, cost);
      // A fallback or a cache may leave tiers out.
      return outcomes[next]?.tier === tier.name ? outcomes[next++]! : [];
    });
  }
}

/** A limit of 0 denies every request that costs anything. */
function zeroLimitOutcome({ name, shadow }: TierInfo, cost: number): Outcome {
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
