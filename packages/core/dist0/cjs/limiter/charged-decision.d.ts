import { type Decision } from '../model/decision.js';
import type { Policy } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import type { Answer } from '../stores/store.js';
import { type Ask } from './ask.js';
/** What a decision asked for, and what it was charged. */
export interface Charges {
    readonly asks: readonly Ask<never>[];
    readonly receipts: readonly Receipt[];
}
/** A decision that its limiter can refund and settle. */
export declare function decisionOf<S>(limiter: object, asks: readonly Ask<S>[], answer: Answer): Decision;
/** The limiter that has made a decision. @throws UsageError for what is none of `consume` */
export declare function limiterOf(decision: Decision): object;
/** What a decision can give back; nothing once it was spent. @throws UsageError for that of another limiter */
export declare function chargesOf(limiter: object, decision: Decision): Charges;
/** The policies that the outcomes of a decision speak of, in their order; none for a decision of another limiter. */
export declare function policiesOf(limiter: object, decision: Decision): readonly Policy[];
/** From now on there is nothing to give back: a refund and a settlement happen once. */
export declare function spend(decision: Decision): void;
//# sourceMappingURL=charged-decision.d.ts.map