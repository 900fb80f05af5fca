import { fillIn } from '../model/decision.js';
import { UsageError } from '../model/errors.js';
import { outcomesOf } from './ask.js';
const NOTHING = { asks: [], receipts: [] };
const NO_POLICIES = [];
/** A decision that knows what it can give back, without showing it to anyone, and to which limiter. */
class ChargedDecision {
    #limiter;
    #asks;
    #receipts;
    #spent = false;
    constructor(limiter, asks, answer) {
        fillIn(this, outcomesOf(asks, answer), answer.source, answer.fallback);
        this.#limiter = limiter;
        this.#asks = asks;
        this.#receipts = answer.receipts;
    }
    static chargesOf(decision, limiter) {
        if (#limiter in Object(decision) && decision.#limiter === limiter) {
            const ours = decision;
            return ours.#spent ? NOTHING : { asks: ours.#asks, receipts: ours.#receipts };
        }
        throw new UsageError('USAGE_INVALID', 'refund and settle take a decision that consume of this limiter has returned');
    }
    static limiterOf(decision) {
        if (#limiter in Object(decision))
            return decision.#limiter;
        throw new UsageError('USAGE_INVALID', 'refund and settle take a decision that consume of a limiter has returned');
    }
    static policiesOf(decision, limiter) {
        if (!(#asks in Object(decision)) || decision.#limiter !== limiter)
            return NO_POLICIES;
        const asks = decision.#asks;
        return decision.outcomes.map((outcome) => {
            const { tier, claim } = asks.find((ask) => ask.tier.name === outcome.tier);
            return (decision.degraded ? claim?.localPolicy : claim?.policy) ?? tier.policy;
        });
    }
    static spend(decision) {
        decision.#spent = true;
    }
}
/** A decision that its limiter can refund and settle. */
export function decisionOf(limiter, asks, answer) {
    return new ChargedDecision(limiter, asks, answer);
}
/** The limiter that has made a decision. @throws UsageError for what is none of `consume` */
export function limiterOf(decision) {
    return ChargedDecision.limiterOf(decision);
}
/** What a decision can give back; nothing once it was spent. @throws UsageError for that of another limiter */
export function chargesOf(limiter, decision) {
    return ChargedDecision.chargesOf(decision, limiter);
}
/** The policies that the outcomes of a decision speak of, in their order; none for a decision of another limiter. */
export function policiesOf(limiter, decision) {
    return ChargedDecision.policiesOf(decision, limiter);
}
/** From now on there is nothing to give back: a refund and a settlement happen once. */
export function spend(decision) {
    ChargedDecision.spend(decision);
}
//# sourceMappingURL=charged-decision.js.map