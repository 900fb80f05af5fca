import type { Store } from './store.js';
/**
 * A store that always answers: where the one it wraps cannot, it does what the claims say. Denied is an answer, so it is
 * never taken for an outage.
 *
 * @param local decides for this process alone. It outlives an outage, so that the next one grants nothing anew, and what
 *   it has counted is not told to the store
 */
export declare function withFallback(store: Store, local: Store): Store;
//# sourceMappingURL=with-fallback.d.ts.map