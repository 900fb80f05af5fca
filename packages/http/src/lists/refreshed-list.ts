import { isSluiceError, type ListChange, type ListStore, StoreError, UsageError } from '@sluice/core/internal';
import { canonicalAddress } from '../networks/address.js';
import { FirstLoad } from './first-load.js';
import type { AddOptions, IpList, ListedNetwork } from '../networks/ip-list-interface.js';
import { ListCopy } from './list-copy.js';
import { ListReports } from './list-reports.js';
import { ListedNetworks } from './listed-networks.js';
import { listViews, type ListView } from './list-views.js';
import { readAddition, readNetworks } from './network-arguments.js';
import { NetworkSet } from '../networks/network-set.js';
import { networkText, type Network } from '../networks/network.js';

const MAX_NETWORKS = 100_000;
/** A longer change goes in several calls, because a call keeps all others waiting. */
const CHANGES_PER_CALL = 500;
/** Processes that were started together do not ask together. */
const JITTER = 0.2;
/** Milliseconds after which a list without a state is read again. */
const RETRY_MS = 250;
/** Milliseconds after which a failed refresh of another list is repeated. */
const STALE_RETRY_MS = 5_000;
const READY_TIMEOUT_MS = 10_000;
const READY_RETRY_MS = 50;

export interface ListContext {
  readonly name: string;
  readonly seed: readonly Network[];
  readonly mode: 'enforce' | 'shadow';
  readonly onStoreFailure: 'allow' | 'deny';
  /** Milliseconds. */
  readonly interval: number;
  readonly store: ListStore | undefined;
  readonly key: string;
}

/** The list of `ipList`. The interface `IpList` documents its methods. */
export class RefreshedList implements IpList {
  readonly name: string;
  readonly mode: 'enforce' | 'shadow';
  readonly onStoreFailure: 'allow' | 'deny';
  readonly #context: ListContext;
  readonly #owner: string;
  readonly #seed = new NetworkSet();
  readonly #networks = new ListedNetworks();
  /** Undefined for a list of this process. */
  readonly #copy: ListCopy | undefined;
  /** The number of the last change, for a list of this process. */
  #lastNumber = 0;
  /** Refreshes follow each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** When a refresh must have succeeded, in milliseconds of `performance.now()`. */
  #dueAt = performance.now();
  readonly #reports = new ListReports(this);
  #failures = 0;
  #losses = 0;
  #hasLost = false;
  /** Its last refresh has failed. */
  #isStale = false;
  /** Undefined for a list that requests do not wait for. */
  #firstLoad: FirstLoad | undefined;
  /** What it has with its store. */
  #subscriptions: readonly (() => void)[] = [];

  constructor(context: ListContext) {
    const { name, mode, onStoreFailure, seed, store, key } = context;
    this.name = name;
    this.mode = mode;
    this.onStoreFailure = onStoreFailure;
    this.#context = context;
    this.#owner = `ipList "${name}"`;
    for (const network of seed) this.#seed.add(network);
    if (store === undefined) return;
    if (mode === 'enforce') this.#firstLoad = new FirstLoad(store.connectDeadline);
    this.#copy = new ListCopy(store, key, this.#networks, () => this.#firstLoad?.onPage());
    this.#subscriptions = [listViews.add(store, () => this.view()), store.link.onReady(() => this.#onReady())];
    void this.#refreshAndWait();
  }

  get isLoaded(): boolean {
    return this.#copy?.isComplete ?? true;
  }

  has(address: string): boolean {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return false;
    return this.#seed.has(canonical) || this.#networks.has(canonical);
  }

  async add(networks: string | readonly string[], options: AddOptions = {}): Promise<void> {
    const { duration, note } = readAddition(this.#owner, options);
    const names = readNetworks(`${this.#owner}: add`, networks);
    await this.#change(names.map((name) => ({ name, duration, note })));
  }

  async remove(networks: string | readonly string[]): Promise<void> {
    const names = readNetworks(`${this.#owner}: remove`, networks);
    await this.#change(names.map((name) => ({ name, duration: 'leaves', note: '' })));
  }

  entries(): readonly ListedNetwork[] {
    const now = performance.now();
    const seeded = this.#context.seed.map((network) => ({
      network: networkText(network),
      for: Infinity,
      note: '',
      isSeed: true,
    }));
    const others: ListedNetwork[] = [];
    for (const { network, note, expiresAt } of this.#networks.entries()) {
      if (expiresAt <= now) continue;
      others.push({ network: networkText(network), for: Math.ceil(expiresAt - now), note, isSeed: false });
    }
    return [...seeded, ...others];
  }

  refresh(): Promise<void> {
    const refreshed = this.#turn.then(() => this.#refreshOnce());
    this.#turn = refreshed.catch(() => undefined);
    return refreshed;
  }

  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_TIMEOUT_MS;
    while (!this.isLoaded) {
      try {
        await this.refresh();
      } catch (error) {
        if (this.#isFinal(error) || performance.now() >= giveUpAt) throw error;
      }
      if (!this.isLoaded) await new Promise((resolve) => setTimeout(resolve, READY_RETRY_MS));
    }
  }

  started(): Promise<void> | undefined {
    return this.#firstLoad?.wait();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#copy?.close();
    this.#firstLoad?.end();
  }

  view(): ListView {
    return {
      name: this.name,
      entries: this.#context.seed.length + this.#networks.size,
      overdue: Math.max(0, performance.now() - this.#dueAt),
      failures: this.#failures,
      losses: this.#losses,
    };
  }

  /** A network that has ended leaves the list with the next change. */
  async #change(changes: readonly ListChange[]): Promise<void> {
    const { store } = this.#context;
    const names = new Set(changes.map(({ name }) => name));
    const ended = this.#networks.ended(Math.max(CHANGES_PER_CALL, changes.length)).filter((name) => !names.has(name));
    // Before the first call, so that a list that is too long has none of the changes.
    if (!this.#hasRoomFor(changes, ended.length)) throw this.#tooLong();
    const all = [...ended.map((name): ListChange => ({ name, duration: 'ends', note: '' })), ...changes];
    if (store === undefined) {
      this.#apply(all, Date.now(), this.#lastNumber + 1);
      this.#lastNumber += all.length;
      return;
    }
    for (let at = 0; at < all.length; at += CHANGES_PER_CALL) {
      await this.#send(store, all.slice(at, at + CHANGES_PER_CALL));
    }
  }

  async #send(store: ListStore, changes: readonly ListChange[]): Promise<void> {
    const changed = await store.changeList(this.#context.key, changes, MAX_NETWORKS);
    if (changed === undefined) throw this.#tooLong();
    this.#apply(changes, changed.now, changed.number);
  }

  #hasRoomFor(changes: readonly ListChange[], leaving: number): boolean {
    const added = changes.filter(({ name, duration }) => duration !== 'leaves' && !this.#networks.lists(name));
    return this.#networks.size - leaving + added.length <= MAX_NETWORKS || added.length === 0;
  }

  /** At once. The next refresh reads the same from the store. @param number of the first change */
  #apply(changes: readonly ListChange[], now: number, number: number): void {
    const pass = this.#copy?.pass ?? 0;
    for (const [index, { name, duration, note }] of changes.entries()) {
      // Whether it has ended is for the store to say.
      if (duration === 'ends' && this.#copy) continue;
      const until = typeof duration === 'number' ? duration && now + duration : undefined;
      this.#networks.apply({ name, number: number + index, until, note }, now, pass);
    }
  }

  async #refreshOnce(): Promise<void> {
    if (this.#copy === undefined) return;
    if (this.#isClosed) throw new StoreError('STORE_CLOSED', `${this.#owner}: it is closed`);
    try {
      const lost = await this.#copy.refresh();
      if (lost === undefined) return;
      this.#dueAt = performance.now() + this.#context.interval * (1 + JITTER);
      this.#firstLoad?.end();
      if (lost.length > 0 && !this.#hasLost) this.#reportLoss(lost.length);
      this.#hasLost = lost.length > 0;
      await this.#copy.restore(lost);
      this.#isStale = false;
    } catch (error) {
      this.#failures += 1;
      this.#isStale = true;
      if (this.#isFinal(error)) this.#firstLoad?.end();
      throw error;
    }
  }

  /** The list stays as it is while Redis is away. */
  async #refreshAndWait(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.refresh();
    } catch (error) {
      if (isClosed(error)) this.close();
      if (!this.#isClosed) this.#reports.failure(error);
    }
    if (this.#isClosed) return;
    const pause = this.#interval() * (1 + JITTER * (2 * Math.random() - 1));
    this.#timer = setTimeout(() => void this.#refreshAndWait(), pause).unref();
  }

  /** Milliseconds until the next refresh. */
  #interval(): number {
    const { interval } = this.#context;
    if (!this.isLoaded || this.#hasLost) return Math.min(interval, RETRY_MS);
    return this.#isStale ? Math.min(interval, STALE_RETRY_MS) : interval;
  }

  /** Redis is back. It may have lost its data. */
  #onReady(): void {
    this.#copy!.readAgain();
    if (this.isLoaded || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    void this.#refreshAndWait();
  }

  /** Only an operator or a new store can cure it. */
  #isFinal(error: unknown): boolean {
    return isClosed(error) || this.#context.store!.isRefusal(error);
  }

  #reportLoss(changes: number): void {
    this.#losses += 1;
    this.#reports.loss(changes);
  }

  #tooLong(): UsageError {
    return new UsageError('USAGE_INVALID', `${this.#owner}: add: a list has at most ${MAX_NETWORKS} networks`);
  }
}

function isClosed(error: unknown): boolean {
  return isSluiceError(error) && error.code === 'STORE_CLOSED';
}
