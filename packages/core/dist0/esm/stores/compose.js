import { isMemoryStore, memoryStore } from './memory/memory-store.js';
import { withDenyCache } from './with-deny-cache.js';
import { withFallback } from './with-fallback.js';
import { withLease } from './with-lease/with-lease.js';
/** The store of a limiter that was given none: this process alone. */
export function defaultStore() {
    return memoryStore();
}
// Per store and not per limiter: limiters that share a budget share it in trouble as well.
const composed = new WeakMap();
export function compose(store) {
    const known = composed.get(store);
    if (known)
        return known;
    const whole = isMemoryStore(store) ? asItIs(store) : wrapped(store);
    composed.set(store, whole);
    return whole;
}
function wrapped(store) {
    const leasing = withLease(withFallback(store, memoryStore()), {
        source: store,
        onMore: (keys) => cached.forget(keys),
    });
    const cached = withDenyCache(leasing);
    return { cached, uncached: cached.uncached, release: () => leasing.release() };
}
/** Memory is asked faster than a cache is, and there is nothing to fall back from. */
function asItIs(store) {
    return { cached: store, uncached: store, release: async () => undefined };
}
//# sourceMappingURL=compose.js.map