import { composedStats } from './compose.js';
import type { StoreStats } from '../store-stats.js';
import type { CountingStore, Store } from '../store.js';

export { runningReceipts } from './compose.js';

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
  return { ...stats, keys: [...stats.keys, ...composedStats(store)] };
}
