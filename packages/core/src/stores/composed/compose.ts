// composed/ puts layers before a store: permits, and those that the store has of its own. A store and the needs of plans
// enter. It imports what stores share, the layers and the permits, and no store.
import { companion } from '../../model/companion.js';
import type { Receipt } from '../../model/receipt.js';
import type { StoreStats } from '../store-stats.js';
import type { ComposedStore, CountingStore, Store, StoreLayers } from '../store.js';

// One for each store and not for each limiter: limiters that share a budget share its denials and leases too.
const composed = companion<Store, ComposedStore>('composed-stores');

/** Puts its layers before a store, once. @param layers others than those of the store, for tests */
export function compose(store: Store, layers: StoreLayers = store.layers): ComposedStore {
  const known = composed.get(store);
  if (known) return known;
  const made = layers(store);
  composed.set(store, made);
  return made;
}

/** What running requests of this process hold in a store. */
export function runningReceipts(store: Store): readonly Receipt[] {
  return composed.get(store)?.running() ?? [];
}

const NOTHING: StoreStats = { keys: [], breakers: [], inFlight: 0 };

/**
 * Counts what a store and its limiters hold in this process, which gauges need. It makes no call to Redis.
 *
 * @param store of `memoryStore` or `redisStore`; another store has only the parts that its limiters added
 * @example
 * const { keys } = statsOf(store);
 * const memory = keys.find(({ part }) => part === 'memory');
 */
export function statsOf(store: Store): StoreStats {
  const stats = 'stats' in store ? (store as CountingStore).stats() : NOTHING;
  return { ...stats, keys: [...stats.keys, ...(composed.get(store)?.stats() ?? [])] };
}
