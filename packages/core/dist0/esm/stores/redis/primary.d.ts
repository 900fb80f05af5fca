import { Breaker } from './breaker.js';
/** Connects on its own and tells how it stands, as the clients of ioredis do. All of it may be missing. */
export interface Server {
    readonly status?: string;
    on?(event: string, listener: () => void): unknown;
    connect?(): Promise<unknown>;
}
/** Wants to be told whether a server that is just starting has become ready. */
export interface Waiting {
    go(): void;
    giveUp(): void;
}
/** A server that calls go to: the one of a client, or a primary of a Cluster. */
export declare class Primary {
    #private;
    /** `host:port` of a node of a Cluster. */
    readonly name: string | undefined;
    readonly breaker: Breaker;
    /**
     * @param server nothing where it is not known how it stands
     * @param lookAgain called where it does not answer, or is gone: finds out whether another has taken its place
     */
    constructor(server: Server | undefined, name?: string, lookAgain?: () => void);
    /** From now on it is known by this client, as when a node of a Cluster has come back. */
    follow(server: Server | undefined): void;
    /** `starting`: it has not been tried yet, and may be ready in a moment. */
    get readiness(): 'ready' | 'starting' | 'down';
    /** How it stands, in the client's words. */
    get status(): string;
    /** It has not become ready in time: whoever comes now does not wait for it. */
    stopWaiting(): void;
    wait(waiting: Waiting): void;
}
//# sourceMappingURL=primary.d.ts.map