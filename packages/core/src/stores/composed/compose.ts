// composed/ puts the layers of a store together: deny cache, permits, lease and fallback. A store and the needs of
// plans enter. Beside the entries, it alone imports concrete stores.
import type { LayerName } from '../../model/algorithm-facts.js';
import type { Holder } from '../../model/holder.js';
import type { Receipt } from '../../model/receipt.js';
import { companion } from '../../model/companion.js';
import { betweenProcesses } from './between-processes.js';
import { keyspaceOf } from '../keyspace.js';
import type { RateStore } from '../decided-rates.js';
import { DenyCache, denyLayer, MAX_DENIALS } from '../layers/deny-cache.js';
import type { Layer, Recover } from '../layers/layer.js';
import { Layers, type Charge } from '../layers/layers.js';
import { checkClusterWorker } from '../memory/cluster-worker-check.js';
import { isMemoryStore, memoryStore, type DecidingStore } from '../memory/memory-store.js';
import type { KeyStats } from '../store-stats.js';
import type { Store } from '../store.js';
import { fallbackLayer } from '../layers/with-fallback.js';
import type { HotKeys } from '../with-lease/hot-keys.js';
import type { LeaseLayer } from '../with-lease/with-lease.js';
import { HeldPermits } from '../with-permits/held-permits.js';
import { LinedRequest } from '../with-permits/lined-request.js';
import { permitLayer, type PermitLayer } from '../with-permits/with-permits.js';

/** What the tiers of a plan need of the layers of a store. */
export interface LayerNeeds {
  /** A denial of the past may answer. */
  readonly isCached: boolean;
  /** One of them has a lease. */
  readonly isLeased: boolean;
  /** What their algorithms need. */
  readonly names: ReadonlySet<LayerName>;
  /** The layers of features, which lie before the others. */
  readonly features: readonly Layer[];
  /** The limiter: what waits leaves with it, and what its requests hold ends with it. */
  readonly owner: object;
}

/** A store with the layers of its limiters. */
export interface ComposedStore {
  /** The store behind all layers, for what is no request of a plan. */
  readonly cached: Layers;
  /** The same, where no denial of the past answers. */
  readonly uncached: Layers;
  /** Charges a request through the layers that its plan needs. */
  readonly chargeFor: (needs: LayerNeeds) => Charge;
  /** Has renewals ask whether what receipts stand for still runs. */
  readonly watch: (receipts: readonly Receipt[], holder: Holder) => void;
  /** What running requests of this process hold. */
  readonly running: () => readonly Receipt[];
  /** Gives leased units back, and ends what requests of a limiter hold. */
  readonly release: (owner: object) => Promise<void>;
  readonly stats: () => readonly KeyStats[];
  /** The store is a memory store of this process, which answers immediately. */
  readonly isInMemory: boolean;
  /** Decides rates without claims. Undefined where the store is not in this process. */
  readonly rateStore: RateStore | undefined;
}

/** The store of a limiter that was given none. */
export function defaultStore(): Store {
  return memoryStore();
}

// One for each store and not for each limiter: limiters that share a budget share its denials and leases too.
const composed = companion<Store, ComposedStore>('composed-stores');
// Stores on one client share denials too.
const denialsByKeyspace = companion<object, DenyCache>('denials');

/** Makes the layers of a store, once. @param hotKeys the keys that leases serve, for tests */
export function compose(store: Store, hotKeys?: HotKeys): ComposedStore {
  const known = composed.get(store);
  if (known) return known;
  const made = isMemoryStore(store) ? inMemory(store) : remote(store, hotKeys);
  composed.set(store, made);
  return made;
}

/** The keys that the layers of a store hold. */
export function composedStats(store: Store): readonly KeyStats[] {
  return composed.get(store)?.stats() ?? [];
}

/** True where tiers with a lease have their units charged ahead, or need not, because the store is in this process. */
export function takesLeases(store: Store): boolean {
  return isMemoryStore(store) || betweenProcesses() !== undefined;
}

/** What running requests of this process hold in a store. */
export function runningReceipts(store: Store): readonly Receipt[] {
  return composed.get(store)?.running() ?? [];
}

/** The layers of a store, in their order. */
interface Parts {
  readonly answers?: Layer;
  /** In its place where no denial of the past answers. */
  readonly forgets?: Layer;
  readonly permits: PermitLayer;
  readonly lease?: LeaseLayer | undefined;
  readonly fallback?: Layer;
}

function composedOf(store: Store, { answers, forgets, permits, lease, fallback }: Parts) {
  const list = (...layers: readonly (Layer | undefined)[]) =>
    new Layers(
      store,
      layers.filter((layer) => layer !== undefined),
    );
  return {
    cached: list(answers, permits, lease, fallback),
    uncached: list(forgets, permits, lease, fallback),
    chargeFor({ isCached, isLeased, names, features, owner }: LayerNeeds): Charge {
      const holding = names.has('permits') || names.has('pauses') ? permits : undefined;
      const before = [...features, isCached ? answers : undefined, holding];
      const layers = list(...before, isLeased ? lease : undefined, fallback);
      if (!names.has('permits')) return layers.charge();
      // A request that may wait is sent by its line, perhaps more than once.
      return (group, labels) => permits.sendInLine(new LinedRequest(layers, group, { labels, owner }));
    },
    watch: (receipts: readonly Receipt[], holder: Holder) => permits.watch(receipts, holder),
    running: () => permits.running(),
    async release(owner: object) {
      await Promise.all([lease?.release(), permits.release(owner)]);
    },
  };
}

function remote(store: Store, hotKeys: HotKeys | undefined): ComposedStore {
  const denials = denialsOf(store);
  const local = memoryStore();
  const held = new HeldPermits();
  const { leaseLayer, waitingPolicy } = betweenProcesses() ?? {};
  const fallback = fallbackLayer(store, local, (claims) => held.tellLocal(local, claims));
  const recover: Recover = (error, group) => fallback.recover(error, group);
  const answering = new Layers(store, [fallback]);
  const lease = leaseLayer?.({ below: answering, recover, fetchFrom: store, denials, hotKeys });
  const below = lease === undefined ? answering : new Layers(store, [lease, fallback]);
  const permits = permitLayer({ below, target: store, local, held, waitingPolicy, recover });
  const parts = { answers: denyLayer(denials), forgets: denyLayer(denials, false), permits, lease, fallback };
  return {
    ...composedOf(store, parts),
    stats: () => [
      ...local.stats().keys.map((keys) => ({ ...keys, part: 'local' as const })),
      { part: 'deny-cache', used: denials.size, limit: MAX_DENIALS } as const,
      ...(lease === undefined ? [] : [{ part: 'lease', used: lease.size, limit: lease.most } as const]),
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

/** A memory store decides faster than a cache answers, and never fails: only permits lie before it. */
function inMemory(store: DecidingStore): ComposedStore {
  checkClusterWorker();
  const direct: Store = {
    consume: (group) => store.decide(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    reset: (keys) => store.reset(keys),
    recorded: (key) => store.recorded(key),
    close: () => store.close(),
  };
  const permits = permitLayer({ below: direct, target: store });
  return { ...composedOf(direct, { permits }), stats: () => [], isInMemory: true, rateStore: store };
}
