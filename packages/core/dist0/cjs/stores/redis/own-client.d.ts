import { EventEmitter } from 'node:events';
import type { RedisClient, RedisNode } from './redis-client.js';
/** What the clients of ioredis have in common. */
export interface Connection extends Omit<RedisClient, 'on'> {
    readonly status: string;
    connect(): Promise<unknown>;
    disconnect(): void;
    /** Of a Cluster: asks who holds which slots. */
    refreshSlotsCache?(): void;
    on(event: string, listener: (detail: Error & {
        readonly lastNodeError?: Error;
    }) => void): unknown;
}
/** A client that is the store's own to end. It is there before ioredis is, which is loaded when somebody connects. */
export declare class OwnClient extends EventEmitter implements RedisClient {
    #private;
    readonly isCluster: boolean;
    /** Why it is not ready. */
    trouble: Error | undefined;
    constructor(open: () => Promise<Connection>, isCluster: boolean);
    get status(): string;
    get slots(): readonly (readonly string[])[];
    nodes(): RedisNode[];
    refreshSlotsCache(): void;
    evalsha(...call: Parameters<RedisClient['evalsha']>): Promise<unknown>;
    eval(...call: Parameters<RedisClient['eval']>): Promise<unknown>;
    end(): Promise<void>;
}
//# sourceMappingURL=own-client.d.ts.map