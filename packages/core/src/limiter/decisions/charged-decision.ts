import { fillDecision, type Mutable, type Decision, type Source } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../../stores/store.js';
import type { ClaimSet, TierClaim } from '../claims/claim-set.js';
import type { KeyBounds } from '../key-function.js';

/** What a decision has claimed, and what it was charged. */
export interface Charges {
  readonly tierClaims: readonly TierClaim[];
  readonly receipts: readonly Receipt[];
}

const NO_CHARGES: Charges = { tierClaims: [], receipts: [] };

/** A decision of `consume`. It hides its limiter, its claims and its receipts from printing, copying and serializing. */
export class ChargedDecision implements Decision {
  declare readonly allowed: boolean;
  declare readonly reason: Decision['reason'];
  declare readonly binding?: Outcome;
  declare readonly deniedBy: readonly string[];
  declare readonly outcomes: readonly Outcome[];
  declare readonly retryAfter: number;
  declare readonly delay: number;
  declare readonly source: Source;
  declare readonly degraded: boolean;
  readonly #limiter: object;
  readonly #claimSet: ClaimSet;
  readonly #receipts: readonly Receipt[];
  #isSpent = false;

  constructor(limiter: object, claimSet: ClaimSet, answer: Answer) {
    fillDecision(this as Mutable<Decision>, claimSet.outcomes(answer), answer);
    this.#limiter = limiter;
    this.#claimSet = claimSet;
    this.#receipts = answer.receipts;
  }

  /** What a decision can give back. Empty once it was spent. @throws UsageError for a decision of another limiter */
  static chargesOf(decision: Decision, limiter: object): Charges {
    if (!ChargedDecision.#isOf(decision, limiter)) throw notConsumed('this');
    return decision.#isSpent
      ? NO_CHARGES
      : { tierClaims: decision.#claimSet.tierClaims(), receipts: decision.#receipts };
  }

  /** A refund and a settlement happen once: from now on there is nothing to give back. */
  static spend(decision: Decision): void {
    (decision as ChargedDecision).#isSpent = true;
  }

  /** The limiter of a decision. @throws UsageError for a decision that `consume` has not returned */
  static limiterOf(decision: Decision): object {
    if (#limiter in Object(decision)) return (decision as ChargedDecision).#limiter;
    throw notConsumed('a');
  }

  /** The policies of the outcomes, in their order. Empty for a decision of another limiter. */
  static policiesOf(decision: Decision, limiter: object): readonly Policy[] {
    if (!ChargedDecision.#isOf(decision, limiter)) return [];
    const tierClaims = decision.#claimSet.tierClaims();
    return decision.outcomes.map((outcome) => {
      const { tier, claim } = tierClaims.find((each) => each.tier.name === outcome.tier)!;
      return (decision.degraded ? claim?.localPolicy : claim?.policy) ?? tier.policy;
    });
  }

  /** Whether a key of the request has these bounds. False for a decision that `consume` has not returned. */
  static isBoundedBy(decision: Decision, bounds: KeyBounds): boolean {
    return #claimSet in decision && decision.#claimSet.isBoundedBy(bounds);
  }

  static #isOf(decision: Decision, limiter: object): decision is ChargedDecision {
    return #limiter in Object(decision) && (decision as ChargedDecision).#limiter === limiter;
  }
}

function notConsumed(which: 'this' | 'a'): UsageError {
  const rule = `refund and settle take a decision that consume of ${which} limiter has returned`;
  return new UsageError('USAGE_INVALID', rule);
}
