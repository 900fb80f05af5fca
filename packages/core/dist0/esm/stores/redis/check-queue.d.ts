import type { Claim } from '../../model/claim.js';
import type { Answer } from '../store.js';
import type { RedisLink } from './redis-link.js';
/**
 * Checks of one turn of the event loop travel together. A call leaves at once when nothing is in flight, so that a lone
 * check never waits; when it is full; when as many checks are under way as it holds, so that Redis and this process both
 * have something to do; and at the end of the turn. Measured in docs/decisions/0018-calls.md.
 */
export declare class CheckQueue {
    #private;
    constructor(link: RedisLink, isCluster: boolean);
    /** @param group claims of one hash tag, where the client is one of a Cluster */
    ask(group: readonly Claim[], peek: boolean): Promise<Answer>;
    /** Sends what waits for the end of the turn, so that what is sent next comes after it. */
    flush(): void;
}
//# sourceMappingURL=check-queue.d.ts.map