// stores/ has the interface of a store, and what all stores share: layers, answers, keyspaces, registered limiters.
// Claims enter, and answers leave. It imports model, async and the algorithms, and never a limiter.
import type { BesideNumbers } from '../algorithms/candidate.js';
import type { Deferred } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Answer } from '../model/answer.js';
import type { Claim } from '../model/claim.js';
import type { Holder } from '../model/holder.js';
import type { ActValues, KeyAct } from '../model/key-act.js';
import type { Receipt } from '../model/receipt.js';
import type { RateStore } from './decided-rates.js';
import type { Charge, LayerNeeds, RequestFacts } from './layer.js';
import type { KeyStats, StoreStats } from './store-stats.js';

/**
 * Holds state and decides atomically. A memory store answers immediately, a remote store by promise. A denial is an
 * answer and not an error.
 *
 * @example
 * const counting = (store: Store, count: () => void): Store => ({
 *   layers: sharedLayers,
 *   consume: (group) => (count(), store.consume(group)),
 *   peek: (group) => store.peek(group),
 *   refund: (receipts) => store.refund(receipts),
 *   reset: (keys) => store.reset(keys),
 *   close: () => store.close(),
 * });
 */
export interface Store {
  /**
   * What limiters put before it. A store of your own has `sharedLayers`, which `@sluice/core/own-store` exports, also where it
   * wraps another store.
   */
  readonly layers: StoreLayers;
  /** Charges every enforced claim of a request, or none when one of them denies. */
  consume(group: readonly Claim[]): MaybePromise<Answer>;
  /** The answer that `consume` would give. It changes nothing. */
  peek(group: readonly Claim[]): MaybePromise<Answer>;
  /**
   * Gives back the units of receipts, each at most once. Returns how many units came back, in sum. Receipts with
   * `undone` are of requests that were never sent, so they forgive nothing.
   */
  refund(receipts: readonly Receipt[]): MaybePromise<number>;
  /** Deletes the state of keys, and the strings recorded with them. */
  reset(keys: readonly string[]): MaybePromise<void>;
  /** Ends timers, and connections that the store opened itself. Checks in flight are still answered. */
  close(): MaybePromise<void>;
}

/** What a store can do beside that. A limiter refuses the tiers for which its store lacks a method. */
export interface StoreAbilities {
  /**
   * Lets units of running requests count for longer, from now on, also those that count no longer. Returns for each
   * receipt how many units others could have been given in the meantime, or the error of its key. For tiers that limit
   * requests in flight.
   */
  renew(receipts: readonly Receipt[]): MaybePromise<readonly (number | Error)[]>;
  /** Does what a feature asks with the state of a key, and returns what its step replies. For tiers with a balance. */
  act(owner: StateKey, act: KeyAct): MaybePromise<ActValues>;
  /** Pages of the keys that begin and end with these texts. A key may be in two of them. For features that look at all clients. */
  keys(begin: string, end: string): AsyncIterable<readonly string[]>;
  /** The strings recorded with a key, newest first. For tiers with `record`. */
  recorded(key: string): MaybePromise<readonly string[]>;
  /** True if keys without a common hash tag may be on several servers. @default false */
  readonly isCluster: boolean;
}

/** A store, and what it can do beside that. */
export type AbleStore = Store & Partial<StoreAbilities>;

/** Makes the layers before a store, once for all of its limiters. @throws ConfigError for a store of another kind */
export type StoreLayers = (store: Store) => ComposedStore;

/** What a store of an application needs, in words. */
export const OWN_LAYERS = "layers: sharedLayers, which '@sluice/core/own-store' exports";

/** A store behind its layers. */
export type LayeredStore = Omit<Store, 'layers'>;

/** A store that holds permits. */
export type PermitStore = LayeredStore & Partial<RemoteStore & Pick<StoreAbilities, 'renew'>>;

/** A store with the layers of its limiters. */
export interface ComposedStore {
  /** The store behind all layers, for what is no request of a plan. */
  readonly cached: LayeredStore;
  /** The same, where no denial of the past answers. */
  readonly uncached: LayeredStore;
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

/** Where a store holds the state of a key. */
export type StateKey = Pick<Claim, 'key' | 'policy'>;

/** A group of claims that waits for its answer. */
export interface PendingCheck {
  readonly group: readonly Claim[];
  /** True for a check that changes nothing. */
  readonly isPeek: boolean;
  /** True for a check of an application: its answer has its receipts, which are otherwise made when they are read. */
  readonly isPlain: boolean;
  readonly facts: RequestFacts | undefined;
  /** What its caller gets, by a store that answers later. */
  answer: Deferred<Answer> | undefined;
  /** The answer for the caller in the place of that of the store. */
  onAnswer(answer: Answer): MaybePromise<Answer>;
  /** The same where the store has failed. @throws the error if nothing else answers */
  onError(error: unknown): MaybePromise<Answer>;
}

/** A store that another process serves. */
export interface RemoteStore extends Store {
  /** Like `consume`, for a check that has its own answer to an error and to what the store says. An outage takes no promise. */
  send(check: PendingCheck): MaybePromise<Answer>;
  /** The error that requests get now, without a call. Undefined if the store may answer them. */
  outageOf(group: readonly { readonly key: string }[]): Error | undefined;
  readonly link: ServerLink;
}

/** What is known of the servers of a store, for what a process does beside its requests. */
export interface ServerLink {
  /** Calls back when a server is ready again, before it gets a check. It returns a function that ends the subscription. */
  onReady(listener: () => void): () => void;
  /** Calls back when a server answers again after a failure. It returns a function that ends the subscription. */
  onAnswer(listener: () => void): () => void;
  /**
   * Like `consume`, but before the checks that are sent next, even to a server that has lost its scripts, or that gets no
   * checks after its failures: who calls it has asked `outageOf`, or closes.
   */
  chargeFirst(claim: Claim): MaybePromise<unknown>;
  /**
   * Like `refund` of units that end with their request, but sent as `chargeFirst` is. Returns for each receipt how many units came back, or the error of its key.
   */
  releaseFirst(receipts: readonly Receipt[]): MaybePromise<readonly (number | Error)[]>;
  /** True for an error that proves that a call about these keys has changed nothing. */
  changedNothing(error: unknown, group: readonly { readonly key: string }[]): boolean;
}

/** A store that can say what it holds. */
export interface CountingStore extends Store {
  stats(): StoreStats;
}

/** A store that shows what it has, to operators. */
export interface LegibleStore extends Store {
  /** The states of keys, in the order of the claims. It changes nothing. */
  read(group: readonly Claim[]): MaybePromise<readonly Reading[]>;
}

/**
 * A store that has lists for all processes. A change has a number, larger than those before: microseconds since 1970.
 */
export interface ListStore extends RemoteStore {
  /** Milliseconds that requests wait for the first connection. */
  readonly connectDeadline: number;
  /** True for an error that lasts until an operator changes something. */
  isRefusal(error: unknown): boolean;
  /** The next items of a list after a position, or its first ones if the position is not one of this list. */
  readList(key: string, after: ListPosition): Promise<ListPage>;
  /**
   * Changes items of a list, all together. Undefined if it would have more than `most` items, and nothing was changed.
   */
  changeList(key: string, changes: readonly ListChange[], most: number): Promise<ListChanged | undefined>;
  /** Writes items back that the store has lost, where the last change wins. It returns false while another process does so. */
  restoreList(key: string, lost: LostItems): Promise<boolean>;
}

/** What a process knows of a list. */
export interface ListPosition {
  /** The list that it knows: another one after the store has lost data. 0: an empty one, which has never changed. */
  readonly epoch: number;
  /** The number of the last change that it knows of an item on the list. */
  readonly added: number;
  /** The same of an item that left. */
  readonly removed: number;
}

/** The position of a process that knows no list. */
export const NO_POSITION: ListPosition = { epoch: -1, added: 0, removed: 0 };

export interface ListPage {
  /** Milliseconds since 1970 by the clock of the store. */
  readonly now: number;
  /** Where this page begins: another position than the one that was given if all items follow. */
  readonly from: ListPosition;
  /** Where it ends. */
  readonly position: ListPosition;
  /** The store has dropped removals with this number and below. */
  readonly floor: number;
  readonly hasMore: boolean;
  /** A process writes lost items back. */
  readonly isRestoring: boolean;
  readonly items: readonly StoredItem[];
}

export interface StoredItem {
  readonly name: string;
  /** Of its last change. */
  readonly number: number;
  /** Milliseconds since 1970 by the clock of the store; 0: for good; undefined: it has left the list. */
  readonly until: number | undefined;
  readonly note: string;
}

export interface ListChange {
  readonly name: string;
  /**
   * Milliseconds that the item stays on the list; 0: for good; `leaves`: it leaves the list; `ends`: if its end has
   * passed.
   */
  readonly duration: number | 'leaves' | 'ends';
  readonly note: string;
}

export interface ListChanged {
  /** Milliseconds since 1970 by the clock of the store. */
  readonly now: number;
  /** Of the first change. The others have the numbers that follow. */
  readonly number: number;
}

export interface LostItems {
  /** Which process writes them. */
  readonly restorer: string;
  /** With the last items: the `floor` that it knows. */
  readonly floor?: number;
  readonly items: readonly StoredItem[];
}

/** The state of a key at a time. */
export interface Reading {
  /** Microseconds since 1970 by the clock of the store. */
  readonly now: number;
  /** As the algorithm of the claim takes it. Undefined without one. */
  readonly state: unknown;
  /** What features have beside the state. */
  readonly beside: BesideNumbers;
}
