import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
/**
 * The states in which keys are counted that there is no room for: those of one tier share one budget. Tiers that share
 * nothing in the table share nothing here: each prefix has its own, and each way of counting.
 */
export declare class Overflow {
    #private;
    get size(): number;
    /** The claim as it is decided here: on what its tier has together. */
    redirect(claim: Claim): Claim;
    stateFor({ key }: Owner): unknown;
    /** @param now microseconds */
    write({ key, policy }: Owner, state: unknown, now: number): void;
}
/** What a state belongs to: a claim or a receipt. */
export interface Owner {
    readonly key: string;
    readonly policy: Policy;
}
//# sourceMappingURL=overflow.d.ts.map