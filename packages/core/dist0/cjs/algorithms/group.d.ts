import type { Claim } from '../model/claim.js';
import { type Ruling } from '../model/ruling.js';
import type { Algorithm } from './algorithm.js';
/** One claim on its way through a decision: what is kept under its key goes in, the ruling and the next state come out. */
export interface Candidate {
    readonly claim: Claim;
    readonly algorithm: Algorithm;
    /** As the store kept it; undefined for a key that is not there. */
    readonly stored: unknown;
    /** The time of the decision, in the policy's ticks. */
    ticks: number;
    state: unknown;
    /** The state must be kept: something was charged, or what was kept is ahead of the clock. */
    changed: boolean;
    /** Ticks until the claim fits; 0: it fits; NEVER: it cannot. */
    wait: number;
    /** Units that were charged. */
    charged: number;
    /** Undefined until it is decided. */
    ruling: Ruling | undefined;
}
export declare function candidate(claim: Claim, stored: unknown): Candidate;
/**
 * Decides the claims of one request together. An enforced claim is charged only when every enforced one fits, a shadow
 * claim when it fits besides; a claim that counts denied requests is charged for each, at most up to full.
 *
 * @param now microseconds
 */
export declare function consumeGroup(candidates: readonly Candidate[], now: number): void;
/** Answers the claims of one request and changes nothing. */
export declare function peekGroup(candidates: readonly Candidate[], now: number): void;
//# sourceMappingURL=group.d.ts.map