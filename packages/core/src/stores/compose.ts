import { isMemoryStore, memoryStore } from './memory/memory-store.js';
import type { Store } from './store.js';
import { withFallback } from './with-fallback.js';

/** The store of a limiter that was given none: this process alone. */
export function defaultStore(): Store {
  return memoryStore();
}

// Per store and not per limiter: limiters that share a budget share it in trouble as well.
const composed = new WeakMap<Store, Store>();

/** A store with what a limiter puts before it. */
export function compose(store: Store): Store {
  // There is nothing to fall back from.
  if (isMemoryStore(store)) return store;
  const known = composed.get(store);
  if (known) return known;
  const whole = withFallback(store, memoryStore());
  composed.set(store, whole);
  return whole;
}
