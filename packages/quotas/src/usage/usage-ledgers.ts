import { companion, type Store, type UsageLedger, type UsageStore, type WatchedStore } from '@sluice/core/internal';
import { MemoryUsage } from './memory-usage.js';

const inMemory = companion<Store, UsageLedger>('memory-usage');

/** Where the usage of a store is counted. Undefined for a store that counts none. */
export function usageLedgerOf(store: Store & Partial<UsageStore & WatchedStore>): UsageLedger | undefined {
  if (typeof store.usage?.read === 'function') return store.usage;
  if (typeof store.watchRefunds !== 'function') return undefined;
  const known = inMemory.get(store) ?? new MemoryUsage(store as WatchedStore);
  inMemory.set(store, known);
  return known;
}
