"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.defaultStore = defaultStore;
exports.compose = compose;
const memory_store_js_1 = require("./memory/memory-store.js");
const with_deny_cache_js_1 = require("./with-deny-cache.js");
const with_fallback_js_1 = require("./with-fallback.js");
const with_lease_js_1 = require("./with-lease/with-lease.js");
/** The store of a limiter that was given none: this process alone. */
function defaultStore() {
    return (0, memory_store_js_1.memoryStore)();
}
// Per store and not per limiter: limiters that share a budget share it in trouble as well.
const composed = new WeakMap();
function compose(store) {
    const known = composed.get(store);
    if (known)
        return known;
    const whole = (0, memory_store_js_1.isMemoryStore)(store) ? asItIs(store) : wrapped(store);
    composed.set(store, whole);
    return whole;
}
function wrapped(store) {
    const leasing = (0, with_lease_js_1.withLease)((0, with_fallback_js_1.withFallback)(store, (0, memory_store_js_1.memoryStore)()), {
        source: store,
        onMore: (keys) => cached.forget(keys),
    });
    const cached = (0, with_deny_cache_js_1.withDenyCache)(leasing);
    return { cached, uncached: cached.uncached, release: () => leasing.release() };
}
/** Memory is asked faster than a cache is, and there is nothing to fall back from. */
function asItIs(store) {
    return { cached: store, uncached: store, release: async () => undefined };
}
//# sourceMappingURL=compose.js.map