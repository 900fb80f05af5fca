import type { Claim } from '../model/claim.js';
import { shared } from '../model/shared.js';
import { budgetsOf } from './budgets.js';
import { DenyCache, MAX_DENIALS, withDenyCache } from './deny-cache.js';
import { isMemoryStore, memoryStore, type DecidingStore } from './memory/memory-store.js';
import type { KeyStats } from './store-stats.js';
import type { Answer, Store } from './store.js';
import { withFallback } from './with-fallback.js';
import type { HotKeys } from './with-lease/hot-keys.js';
import { MAX_LEASED_KEYS, withLease } from './with-lease/with-lease.js';
import { HeldPermits, type PermitReceipt } from './held-permits.js';
import { withPermits, type PermitStore } from './with-permits/with-permits.js';

/** A store with the wrappers of a limiter. */
export interface ComposedStore {
  /** Answers from the deny cache where it can. */
  readonly cached: Store;
  /** Sends every check to the store. */
  readonly uncached: Store;
  /** Charges rates alone, past everything that only permits and pauses need. Undefined where something else stands in front. */
  readonly rates: ((group: readonly Claim[]) => Answer) | undefined;
  /** Gives leased units back, and ends the permits of a limiter. */
  readonly release: PermitStore['release'];
  readonly stats: () => readonly KeyStats[];
  /** What running requests of this process hold. */
  readonly held: HeldPermits;
}

/** The store of a limiter that was given none. */
export function defaultStore(): Store {
  return memoryStore();
}

// One for each store and not for each limiter: limiters that share a budget share its denials and leases too.
const composed = shared('composed-stores', () => new WeakMap<Store, ComposedStore>());
// Stores on one client share denials too.
const denialsByBudgets = shared('denials', () => new WeakMap<object, DenyCache>());

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

/** What running requests of this process hold in a store. */
export function heldReceipts(store: Store): readonly PermitReceipt[] {
  return Array.from(composed.get(store)?.held.all() ?? [], ({ receipt }) => receipt);
}

/** A request passes the deny cache, then the permits, the lease and the fallback, then the store. */
function wrapped(store: Store, hotKeys: HotKeys | undefined): ComposedStore {
  const denials = denialsOf(store);
  const local = memoryStore();
  const held = new HeldPermits();
  const answering = withFallback(store, local, held);
  const leased = withLease(answering, { fetchFrom: store, denials, hotKeys });
  const holding = withPermits(leased, {
    target: store,
    local,
    held,
    recover: (error, group) => answering.recover(error, group),
  });
  const cached = withDenyCache(holding, denials);
  const stats = () => [
    ...local.stats().keys.map((keys) => ({ ...keys, part: 'local' as const })),
    { part: 'deny-cache', used: denials.size, limit: MAX_DENIALS } as const,
    { part: 'lease', used: leased.size, limit: MAX_LEASED_KEYS } as const,
  ];
  const release: PermitStore['release'] = async (owner) => {
    await Promise.all([leased.release(), holding.release(owner)]);
  };
  return { cached, uncached: cached.uncached, rates: undefined, release, stats, held };
}

function denialsOf(store: Store): DenyCache {
  const budgets = budgetsOf(store);
  const denials = denialsByBudgets.get(budgets) ?? new DenyCache();
  denialsByBudgets.set(budgets, denials);
  return denials;
}

/** A memory store decides faster than a cache answers, and never fails. */
function inMemory(store: DecidingStore): ComposedStore {
  const held = new HeldPermits();
  const holding = withPermits(store, { target: store, held });
  return {
    cached: holding,
    uncached: holding,
    rates: (group) => store.decide(group),
    release: (owner) => holding.release(owner),
    stats: () => [],
    held,
  };
}
