import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Answer } from '../stores/store.js';
import type { TierDefinition } from './tier-definition.js';

/** What a tier asks for one request. Without a claim its limit is 0: it never fits, and there is nothing to keep. */
export interface Ask<S> {
  readonly tier: TierDefinition<S>;
  readonly cost: number;
  readonly claim: Claim | undefined;
}

/** What a request asks of the tiers that apply, in their order. */
export class Asked<S> {
  readonly asks: readonly Ask<S>[];
  /** The claims of those that have one. */
  readonly claims: readonly Claim[];
  /** A limit of 0 denies the request, whatever a store would say. */
  readonly isRefused: boolean;
  readonly #size: number;

  constructor(asks: readonly Ask<S>[]) {
    // Made as large as it will be: what grows takes room for many.
    const claims = new Array<Claim>(asks.length);
    let count = 0;
    for (const { claim } of asks) if (claim) claims[count++] = claim;
    if (count < claims.length) claims.length = count;
    this.asks = asks;
    this.claims = claims;
    this.isRefused = count < asks.length && asks.some(refuses);
    this.#size = asks.length;
  }

  /** The outcomes of the store in the order of the tiers, with those that no store was asked for. */
  outcomes({ outcomes }: Pick<Answer, 'outcomes'>): readonly Outcome[] {
    // Nearly always all were asked for, and all have answered.
    if (outcomes.length === this.#size) return outcomes;
    let next = 0;
    return this.asks.flatMap(({ tier, cost, claim }) => {
      if (claim === undefined) return zeroOutcome(tier, cost);
      // An answer from elsewhere than the store leaves tiers out.
      return outcomes[next]?.tier === tier.name ? outcomes[next++]! : [];
    });
  }
}

/** A limit of 0 denies what costs anything. */
function refuses<S>({ tier, cost, claim }: Ask<S>): boolean {
  return claim === undefined && cost > 0 && !tier.shadow;
}

/** The outcome of a tier whose limit is 0 for this subject. */
function zeroOutcome<S>({ name, shadow }: TierDefinition<S>, cost: number): Outcome {
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
