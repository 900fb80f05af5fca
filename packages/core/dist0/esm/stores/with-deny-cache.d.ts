import type { Store } from './store.js';
/** A store that remembers who was denied, and until when nothing can have changed. */
export interface DenyCacheStore extends Store {
    /** The same store for those who want to ask it every time. What they give back is seen here. */
    readonly uncached: Store;
    /** There is more of these keys than the store has said. */
    forget(keys: readonly string[]): void;
}
/**
 * Answers for a store that has denied already: nobody is let in by asking again. Only what the store itself has said is
 * kept, and only for as long as nothing but giving back can change it.
 *
 * @param clock milliseconds that never go back
 */
export declare function withDenyCache(store: Store, clock?: () => number): DenyCacheStore;
//# sourceMappingURL=with-deny-cache.d.ts.map