import type { Store } from '../store.js';
/** A store that charges several units at once for keys that are asked for often, and spends them here. */
export interface LeasingStore extends Store {
    /** Gives back what is in hand, and what is on its way. */
    release(): Promise<void>;
}
export interface LeaseSurroundings {
    /** Where units are fetched: what fails there is no request that failed. @default the store */
    readonly source?: Store;
    /** Is told of keys that there is more of than the store has said, here or there. */
    readonly onMore?: (keys: readonly string[]) => void;
    /** Milliseconds that never go back. @default performance.now */
    readonly clock?: () => number;
}
/**
 * Spends units here that were charged before, so that a hot key asks its store once for many requests. What is admitted
 * was charged, so no more than the limit is admitted in the long run; in any window at most `max` units more for each
 * process.
 */
export declare function withLease(store: Store, surroundings?: LeaseSurroundings): LeasingStore;
//# sourceMappingURL=with-lease.d.ts.map