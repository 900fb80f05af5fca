import { isMemoryStore, memoryStore } from './memory/memory-store.js';
import type { Store } from './store.js';
import { withDenyCache, type DenyCacheStore } from './with-deny-cache.js';
import { withFallback } from './with-fallback.js';
import { withLease } from './with-lease/with-lease.js';

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
export function defaultStore(): Store {
  return memoryStore();
}

// Per store and not per limiter: limiters that share a budget share it in trouble as well.
const composed = new WeakMap<Store, ComposedStore>();

export function compose(store: Store): ComposedStore {
  const known = composed.get(store);
  if (known) return known;
  const whole = isMemoryStore(store) ? asItIs(store) : wrapped(store);
  composed.set(store, whole);
  return whole;
}

function wrapped(store: Store): ComposedStore {
  const answering = withFallback(store, memoryStore());
  const leasing = withLease(answering, {
    source: store,
    onMore: (keys) => cached.forget(keys),
    recover: (error, group) => answering.recover(error, group),
  });
  const cached: DenyCacheStore = withDenyCache(leasing);
  return { cached, uncached: cached.uncached, release: () => leasing.release() };
}

/** Memory is asked faster than a cache is, and there is nothing to fall back from. */
function asItIs(store: Store): ComposedStore {
  return { cached: store, uncached: store, release: async () => undefined };
}
