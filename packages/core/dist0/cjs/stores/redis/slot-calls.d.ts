import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../store.js';
import type { CheckQueue } from './check-queue.js';
import type { TimeSpan } from './deadline.js';
import type { RedisLink } from './redis-link.js';
/** What a store asks of a client, in calls that each keep to one slot of a Cluster. */
export declare class SlotCalls {
    #private;
    constructor(link: RedisLink, queue: CheckQueue, isCluster: boolean);
    /** In milliseconds. */
    get deadline(): number;
    /** True for claims that one call can decide. */
    isOnePart(group: readonly Claim[]): boolean;
    /** What can go into one call: all of it, or on a Cluster what shares a hash tag. */
    bySlot<T extends {
        readonly key: string;
    }>(items: readonly T[]): readonly (readonly T[])[];
    /** Waits for what has been asked so far, also by other stores on this client. */
    idle(): Promise<void>;
    /** The time of something that takes several calls. */
    timeSpan(): TimeSpan;
    /** @param group claims of one slot */
    consume(group: readonly Claim[]): Promise<Answer>;
    peek(group: readonly Claim[]): Promise<Answer>;
    refund(receipts: readonly Receipt[]): Promise<number>;
    /** Keeps the texts of a request that several calls have admitted. A text is not worth failing for. */
    record(claims: readonly Claim[]): Promise<void>;
    reset(keys: readonly string[]): Promise<void>;
    inspect(key: string): Promise<readonly string[]>;
    /** Any script that names no key, for nobody knows yet which we may use. */
    ping(): Promise<unknown>;
}
/** Puts the answers of parts into the order of the whole. */
export declare function mergeAnswers(group: readonly Claim[], parts: readonly (readonly Claim[])[], answers: readonly Answer[]): Answer;
//# sourceMappingURL=slot-calls.d.ts.map