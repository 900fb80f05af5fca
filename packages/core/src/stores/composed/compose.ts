// composed/ puts the stores of a limiter together: fallback, lease, permits and deny cache around the store of the
// options. A store and the needs of tiers enter. It alone imports concrete stores.
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Receipt } from '../../model/receipt.js';
import { companion } from '../../model/companion.js';
import { betweenProcesses } from './between-processes.js';
import { keyspaceOf } from '../keyspace.js';
import type { RateStore } from '../decided-rates.js';
import { DenyCache, MAX_DENIALS, withDenyCache } from '../deny-cache.js';
import { checkClusterWorker } from '../memory/cluster-worker-check.js';
import { isMemoryStore, memoryStore, type DecidingStore } from '../memory/memory-store.js';
import type { KeyStats } from '../store-stats.js';
import type { Answer, Store } from '../store.js';
import { RemoteRates } from '../remote-rates.js';
import { withFallback } from '../with-fallback.js';
import type { HotKeys } from '../with-lease/hot-keys.js';
import { HeldPermits } from '../with-permits/held-permits.js';
import { withPermits, type PermitStore } from '../with-permits/with-permits.js';

/** A store behind wrappers. */
export interface WrappedStore extends Store {
  /** Charges rates, past the wrappers that only permits and pauses need. */
  readonly chargeRates: (group: readonly Claim[]) => MaybePromise<Answer>;
  /** Makes the same for tiers of which none charges denied requests. @param isLeased one of them has a lease */
  readonly chargerOf: (isLeased: boolean) => (group: readonly Claim[]) => MaybePromise<Answer>;
}

/** A store with the wrappers of a limiter. */
export interface ComposedStore extends Pick<PermitStore, 'assign' | 'watch' | 'running'> {
  /** Answers from the deny cache where it can. */
  readonly cached: WrappedStore;
  /** Sends every check to the store. */
  readonly uncached: WrappedStore;
  /** Gives leased units back, and ends what requests of a limiter hold. */
  readonly release: PermitStore['release'];
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

/** Wraps a store, once. @param hotKeys the keys that leases serve, for tests */
export function compose(store: Store, hotKeys?: HotKeys): ComposedStore {
  const known = composed.get(store);
  if (known) return known;
  const made = isMemoryStore(store) ? inMemory(store) : wrapped(store, hotKeys);
  composed.set(store, made);
  return made;
}

/** The keys that the wrappers of a store hold. */
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

/** A request passes the deny cache, then the permits, the lease and the fallback, then the store. */
function wrapped(store: Store, hotKeys: HotKeys | undefined): ComposedStore {
  const denials = denialsOf(store);
  const local = memoryStore();
  const held = new HeldPermits();
  const answering = withFallback(store, local, (claims) => held.tellLocal(local, claims));
  const shared = betweenProcesses();
  const leased = shared?.withLease(answering, { fetchFrom: store, denials, hotKeys });
  const holding = withPermits(leased ?? answering, {
    target: store,
    local,
    held,
    waitingPolicy: shared?.waitingPolicy,
    recover: (error, group) => answering.recover(error, group),
  });
  const { uncached, ...cached } = withDenyCache(holding, denials);
  const rates = withDenyCache(leased ?? answering, denials);
  const chargerBeside = (cache: DenyCache | undefined) => (isLeased: boolean) => {
    const lease = isLeased ? leased : undefined;
    const remote = new RemoteRates({ store, fallback: answering, denials: cache, lease });
    return (group: readonly Claim[]) => remote.consume(group);
  };
  const stats = () => [
    ...local.stats().keys.map((keys) => ({ ...keys, part: 'local' as const })),
    { part: 'deny-cache', used: denials.size, limit: MAX_DENIALS } as const,
    ...(leased === undefined ? [] : [{ part: 'lease', used: leased.size, limit: leased.most } as const]),
  ];
  const release: PermitStore['release'] = async (owner) => {
    await Promise.all([leased?.release(), holding.release(owner)]);
  };
  return {
    cached: {
      ...cached,
      chargeRates: (group) => rates.consume(group),
      chargerOf: chargerBeside(denials),
    },
    uncached: {
      ...uncached,
      chargeRates: (group) => rates.uncached.consume(group),
      chargerOf: chargerBeside(undefined),
    },
    assign: (receipts, owner) => holding.assign(receipts, owner),
    watch: (receipts, holder) => holding.watch(receipts, holder),
    running: () => holding.running(),
    release,
    stats,
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

/** A memory store decides faster than a cache answers, and never fails. */
function inMemory(store: DecidingStore): ComposedStore {
  checkClusterWorker();
  /** Made by the first request that it is for. */
  let holding: PermitStore | undefined;
  const direct: WrappedStore = {
    chargeRates: (group) => store.decide(group),
    chargerOf: () => direct.chargeRates,
    consume: (group) => (holding ??= withPermits(store, { target: store })).consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => (holding ?? store).refund(receipts),
    reset: (keys) => (holding ?? store).reset(keys),
    recorded: (key) => store.recorded(key),
    close: () => (holding ?? store).close(),
  };
  return {
    cached: direct,
    uncached: direct,
    assign: (receipts, owner) => holding?.assign(receipts, owner),
    watch: (receipts, holder) => holding?.watch(receipts, holder),
    running: () => holding?.running() ?? [],
    release: async (owner) => holding?.release(owner),
    stats: () => [],
    isInMemory: true,
    rateStore: store,
  };
}
