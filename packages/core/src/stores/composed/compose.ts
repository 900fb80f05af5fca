// composed/ puts layers before a store: permits, and those that the store has of its own. A store and the needs of plans
// enter. It imports what stores share, the layers and the permits, and no store.
import { companion } from '../../model/companion.js';
import type { Receipt } from '../../model/receipt.js';
import type { KeyStats } from '../store-stats.js';
import type { ComposedStore, Store, StoreLayers } from '../store.js';

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

/** The keys that the layers of a store hold. */
export function composedStats(store: Store): readonly KeyStats[] {
  return composed.get(store)?.stats() ?? [];
}

/** What running requests of this process hold in a store. */
export function runningReceipts(store: Store): readonly Receipt[] {
  return composed.get(store)?.running() ?? [];
}
