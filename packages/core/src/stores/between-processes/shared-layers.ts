// between-processes/ has the layers before a store that several processes share: deny cache, permits, lease and fallback.
// Such a store enters, as it is or with the keys that leases serve. It imports the layers and the memory store, which
// decides during outages.
import { companion } from '../../model/companion.js';
import { behind } from '../composed/layer-list.js';
import { keyspaceOf } from '../keyspace.js';
import type { Recover } from '../layer.js';
import { Layers } from '../layers/layers.js';
import { memoryStore } from '../memory/memory-store.js';
import type { AbleStore, ComposedStore, Store, StoreLayers } from '../store.js';
import type { HotKeys } from '../with-lease/hot-keys.js';
import { LeaseLayer } from '../with-lease/with-lease.js';
import { FullKeys } from '../with-permits/full-keys.js';
import { HeldPermits, tellLocal } from '../with-permits/held-permits.js';
import { Pauses } from '../with-permits/pauses.js';
import { PermitLayer } from '../with-permits/with-permits.js';
import { waitingPolicy } from '../with-permits/wishes.js';
import { DenyCache, denyLayer, MAX_DENIALS } from './deny-cache.js';
import { Outbox } from './outbox.js';
import { FallbackLayer } from './with-fallback.js';

// Stores on one client share denials too.
const denialsByKeyspace = companion<object, DenyCache>('denials');

/**
 * The layers of a store that several processes share: the deny cache, the lines of requests that wait, leases, and what
 * `onStoreFailure` does while the store cannot answer.
 *
 * @example const store: Store = { layers: sharedLayers, consume, peek, refund, reset, recorded, close };
 */
export const sharedLayers: StoreLayers = (store) => layersOf(store);

/** The same. @param hotKeys the keys that leases serve, for tests */
export function layersOf(store: AbleStore, hotKeys?: HotKeys): ComposedStore {
  const denials = denialsOf(store);
  const local = memoryStore();
  const held = new HeldPermits();
  const clock = () => performance.now();
  const fallback = new FallbackLayer(store, local, (claims) => tellLocal({ held, local, clock }, claims));
  const recover: Recover = (error, group) => fallback.recover(error, group);
  const lease = new LeaseLayer({ below: new Layers(store, [fallback]), recover, fetchFrom: store, denials, hotKeys });
  const answers = denyLayer(denials, { isDivided: store.isCluster === true });
  const forgets = denyLayer(denials, { answers: false });
  // Permits give back what requests were charged that wait no longer: what was denied meanwhile fits again.
  const below = new Layers(store, [forgets, lease, fallback]);
  const outbox = new Outbox(store);
  const heard = { outbox, pauses: new Pauses(store, clock), full: new FullKeys(clock) };
  const permits = new PermitLayer({ below, target: store, local, held, ...heard, waitingPolicy, recover });
  return {
    ...behind({ answers, forgets, permits, lease, fallback }, store),
    stats: () => [
      ...local.stats().keys.map((keys) => ({ ...keys, part: 'local' as const })),
      { part: 'deny-cache', used: denials.size, limit: MAX_DENIALS } as const,
      { part: 'lease', used: lease.size, limit: lease.most } as const,
    ],
    isInMemory: false,
    rateStore: undefined,
  };
}

function denialsOf(store: Store): DenyCache {
  const keyspace = keyspaceOf(store);
  const denials = denialsByKeyspace.get(keyspace) ?? new DenyCache();
  denialsByKeyspace.set(keyspace, denials);
  return denials;
}
