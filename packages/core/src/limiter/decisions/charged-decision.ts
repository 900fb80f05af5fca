import { fillIn, type Changeable, type Decision, type Source } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../../stores/store.js';
import type { TierClaim, ClaimSet } from '../claims/claim-set.js';

/** What a decision asked for, and what it was charged. */
export interface Charges {
  readonly asks: readonly TierClaim[];
  readonly receipts: readonly Receipt[];
}

const NOTHING: Charges = { asks: [], receipts: [] };
const NO_POLICIES: readonly Policy[] = [];

/** A decision that knows what it can give back, without showing it to anyone, and to which limiter. */
class ChargedDecision implements Decision {
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
  readonly #asked: ClaimSet;
  readonly #receipts: readonly Receipt[];
  #spent = false;

  constructor(limiter: object, asked: ClaimSet, answer: Answer) {
    fillIn(this as Changeable<Decision>, asked.outcomes(answer), answer.source, answer.fallback);
    this.#limiter = limiter;
    this.#asked = asked;
    this.#receipts = answer.receipts;
  }

  static chargesOf(decision: Decision, limiter: object): Charges {
    if (#limiter in Object(decision) && (decision as ChargedDecision).#limiter === limiter) {
      const ours = decision as ChargedDecision;
      return ours.#spent ? NOTHING : { asks: ours.#asked.asks, receipts: ours.#receipts };
    }
    throw new UsageError(
      'USAGE_INVALID',
      'refund and settle take a decision that consume of this limiter has returned',
    );
  }

  static limiterOf(decision: Decision): object {
    if (#limiter in Object(decision)) return (decision as ChargedDecision).#limiter;
    throw new UsageError('USAGE_INVALID', 'refund and settle take a decision that consume of a limiter has returned');
  }

  static policiesOf(decision: Decision, limiter: object): readonly Policy[] {
    if (!(#asked in Object(decision)) || (decision as ChargedDecision).#limiter !== limiter) return NO_POLICIES;
    const { asks } = (decision as ChargedDecision).#asked;
    return decision.outcomes.map((outcome) => {
      const { tier, claim } = asks.find((ask) => ask.tier.name === outcome.tier)!;
      return (decision.degraded ? claim?.localPolicy : claim?.policy) ?? tier.policy;
    });
  }

  static spend(decision: Decision): void {
    (decision as ChargedDecision).#spent = true;
  }
}

/** A decision that its limiter can refund and settle. */
export function decisionOf(limiter: object, asked: ClaimSet, answer: Answer): Decision {
  return new ChargedDecision(limiter, asked, answer);
}

/** The limiter that has made a decision. @throws UsageError for what is none of `consume` */
export function limiterOf(decision: Decision): object {
  return ChargedDecision.limiterOf(decision);
}

/** What a decision can give back; nothing once it was spent. @throws UsageError for that of another limiter */
export function chargesOf(limiter: object, decision: Decision): Charges {
  return ChargedDecision.chargesOf(decision, limiter);
}

/** The policies that the outcomes of a decision speak of, in their order; none for a decision of another limiter. */
export function policiesOf(limiter: object, decision: Decision): readonly Policy[] {
  return ChargedDecision.policiesOf(decision, limiter);
}

/** From now on there is nothing to give back: a refund and a settlement happen once. */
export function spend(decision: Decision): void {
  ChargedDecision.spend(decision);
}
