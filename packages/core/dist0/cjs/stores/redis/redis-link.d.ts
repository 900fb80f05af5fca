import { StoreError } from '../../model/errors.js';
import type { Deadline } from './deadline.js';
import { LinkedCall, type ScriptCall } from './linked-call.js';
import type { Primary } from './primary.js';
import type { RedisClient } from './redis-client.js';
/**
 * A client, as everything that is asked of it goes: only when it is ready, only past a closed breaker, and never for
 * longer than the deadline. Each call is sent once, and a reply that comes too late is ignored.
 */
export declare class RedisLink {
    #private;
    readonly deadline: Deadline;
    constructor(client: RedisClient, deadline: Deadline);
    /** True where nothing is waited for. */
    get isIdle(): boolean;
    /** Checks that wait for an answer. */
    get checks(): number;
    /** @param now milliseconds of `performance.now()` */
    send(call: ScriptCall, now: number): void;
    /** Waits until all that has been sent so far has come to its end. */
    settled(): Promise<void>;
    execute({ script, keys, arguments: args }: ScriptCall, bySource: boolean): Promise<unknown>;
    forget(linked: LinkedCall): void;
    /** The server is there, and can be asked what it is like. */
    answered(): void;
    /** Why nothing is sent. */
    notReady(primary: Primary): StoreError;
    /** Tells of what is not going to work until somebody changes something, and not at every call. */
    refused({ message }: Error): void;
}
//# sourceMappingURL=redis-link.d.ts.map