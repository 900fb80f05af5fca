import { type Decision } from '../model/decision.js';
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
/** Takes out what a decision can give back: the second time, nothing. @throws UsageError */
export declare function takeCharges(limiter: object, decision: Decision): Charges;
//# sourceMappingURL=ledger.d.ts.map