import { type Store } from '@sluice/core';
/** The commands that a fleet needs. They are within the rights of a limiter. */
export interface FleetClient {
    readonly status?: string;
    get(key: string): Promise<string | null>;
    set(key: string, value: string, unit: 'EX', seconds: number): Promise<unknown>;
    mget(...keys: string[]): Promise<(string | null)[]>;
    lrange(key: string, start: number, stop: number): Promise<string[]>;
    lpush(key: string, value: string): Promise<unknown>;
    ltrim(key: string, start: number, stop: number): Promise<unknown>;
    lrem(key: string, count: number, value: string): Promise<unknown>;
    pexpireat(key: string, milliseconds: number): Promise<unknown>;
}
/**
 * Exchanges summaries between the processes of a fleet through their Redis. While no page is open, a beat is one GET.
 * There is no subscription: it would need a connection of its own.
 */
export declare class Fleet {
    #private;
    constructor(client: FleetClient, store: Store, id: string);
    /**
     * To be called every two seconds.
     *
     * @param isWatching a page is open on this process
     * @param summary makes the summary of this process; called if a page is open on any process
     * @returns the summaries of the others for a process that is watching, [] for another one, undefined if no page is open
     * or Redis is away. Rejects as the client does
     */
    beat(isWatching: boolean, summary: () => string): Promise<readonly string[] | undefined>;
}
/** The client of a Redis store. Undefined if it cannot carry a fleet. */
export declare function fleetClient(store: Store): FleetClient | undefined;
