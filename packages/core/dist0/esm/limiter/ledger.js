import { toDecision } from '../model/decision.js';
import { UsageError } from '../model/errors.js';
import { outcomesOf } from './ask.js';
const NOTHING = { asks: [], receipts: [] };
/** A decision that knows what it can give back, without showing it to anyone, and to which limiter. */
class ChargedDecision {
    allowed;
    reason;
    deniedBy;
    outcomes;
    retryAfter;
    delay;
    source;
    degraded;
    #limiter;
    #charges;
    constructor(decision, limiter, charges) {
        this.allowed = decision.allowed;
        this.reason = decision.reason;
        if (decision.binding)
            this.binding = decision.binding;
        this.deniedBy = decision.deniedBy;
        this.outcomes = decision.outcomes;
        this.retryAfter = decision.retryAfter;
        this.delay = decision.delay;
        this.source = decision.source;
        this.degraded = decision.degraded;
        this.#limiter = limiter;
        this.#charges = charges;
    }
    static take(decision, limiter) {
        if (!(#charges in Object(decision)) || decision.#limiter !== limiter) {
            throw new UsageError('USAGE_INVALID', 'refund and settle take a decision that consume of this limiter has returned');
        }
        const charged = decision;
        const charges = charged.#charges;
        charged.#charges = NOTHING;
        return charges;
    }
}
/** A decision that its limiter can refund and settle. */
export function decisionOf(limiter, asks, answer) {
    const { outcomes, receipts, source } = answer;
    return new ChargedDecision(toDecision(outcomesOf(asks, outcomes), source), limiter, { asks, receipts });
}
/** Takes out what a decision can give back: the second time, nothing. @throws UsageError */
export function takeCharges(limiter, decision) {
    return ChargedDecision.take(decision, limiter);
}
//# sourceMappingURL=ledger.js.map