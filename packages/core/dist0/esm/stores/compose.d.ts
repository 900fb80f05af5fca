import type { Store } from './store.js';
/** A store with what a limiter puts before it. */
export interface ComposedStore {
    /** Answers from the deny cache where it can. */
    readonly cached: Store;
    /** Asks every time. */
    readonly uncached: Store;
    /** Gives back what was leased. */
    readonly release: () => Promise<void>;
}
/** The store of a limiter that was given none: this process alone. */
export declare function defaultStore(): Store;
export declare function compose(store: Store): ComposedStore;
//# sourceMappingURL=compose.d.ts.map