import { type Store } from '@sluice/core';
import { type Snapshot, type State, type Tail } from './messages.js';
import { StoreHealth } from './store-health.js';
import { TopIdentities } from './top-identities.js';
/** Counts what the limiters of this process decide: a few additions for each decision, more only while it is watched. */
export declare class Monitor {
    #private;
    readonly id: string;
    readonly health: StoreHealth;
    readonly denied: TopIdentities;
    readonly asking: TopIdentities;
    /**
     * @param clock monotonic milliseconds
     * @param onHealth called when the store fails or answers again
     */
    constructor(store: Store, clock: () => number, onHealth: () => void);
    /** Starts or stops what a page alone needs: the tail, and which identities ask most. */
    watch(isWatched: boolean): void;
    snapshot(): Snapshot;
    /** What other processes of a fleet get. */
    summary(): string;
    /** Takes in what another process of the fleet has said. */
    hear(text: string): void;
    /** The whole digest of an entry of the lists. */
    digestOf(tier: string, shown: string): string | undefined;
    state(readOnly: boolean): State;
    tail(): Tail;
    stop(): void;
}
