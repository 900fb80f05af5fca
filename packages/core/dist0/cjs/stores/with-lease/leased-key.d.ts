import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';
/** What was taken for one request, until it is known whether the request goes on. */
export interface Taken {
    readonly receipt: Receipt;
    readonly until: number;
}
/**
 * The units of a key that this process has in hand, and how many are worth fetching. Times are milliseconds of a clock
 * that never goes back.
 */
export declare class LeasedKey {
    #private;
    readonly policy: Policy;
    constructor(policy: Policy);
    /** When the first of its units expire. */
    get expires(): number;
    /** Nothing is in hand, and nothing is about to be. */
    get isEmpty(): boolean;
    /** It is empty, and nobody has asked for a while. */
    isIdle(now: number): boolean;
    /** True when a request of this cost would be served from here. */
    holds(cost: number, now: number): boolean;
    /** Takes units for a request; none where there are too few. They are to be `spent` or `putBack`. */
    take({ cost, lease }: Claim, now: number): Taken | undefined;
    /** The request goes on. */
    spent({ receipt }: Taken): void;
    /** The request was denied elsewhere. @returns what has to go to the store */
    putBack({ receipt, until }: Taken, now: number): Receipt[];
    /** How many units to fetch now; 0 while there are enough, or some are on their way. */
    wanted({ cost, lease, policy }: Claim, now: number): number;
    fetching(now: number): void;
    /** Units have come, perhaps fewer than were asked for. @returns what has to go to the store */
    fetched({ outcomes: [outcome], receipts }: Answer, { cost: wanted, lease }: Claim): readonly Receipt[];
    /** Units that did not come after all. */
    failed(): void;
    /** Gives up what has expired. @returns what has to go to the store */
    giveUp(now: number): Receipt[];
    /** Nothing is spent from here any more. @returns what has to go to the store, as all that still comes */
    retire(): Receipt[];
    /** Nothing is spent from here any more: the store has forgotten what was charged. */
    forget(): void;
    /** What a client is told that is served from here. */
    outcome({ tier }: Claim, now: number): Outcome;
}
//# sourceMappingURL=leased-key.d.ts.map