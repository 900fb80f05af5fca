import type { Claim } from '../model/claim.js';
import type { Decision } from '../model/decision.js';
import type { Receipt } from '../model/receipt.js';
import type { Charges } from './charged-decision.js';
/** The real cost of a request, for all tiers without a cost of their own; or the real cost of each tier that is named. */
export type Costs = number | Readonly<Record<string, number>>;
/** What it takes to put a reserved cost right. */
export interface Settlement {
    /** To be given back. */
    readonly less: readonly Receipt[];
    /** To be charged besides, whether it fits or not: at most up to full. */
    readonly more: readonly Claim[];
}
/** @throws UsageError for a number where every tier has a cost of its own: it would settle nothing */
export declare function settlementOf({ allowed, outcomes }: Decision, { asks, receipts }: Charges, costs: Costs): Settlement;
//# sourceMappingURL=settlement.d.ts.map