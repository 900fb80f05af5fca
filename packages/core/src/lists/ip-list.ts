import { warn } from '../events/warning.js';
import { parseDuration, type Duration } from '../model/duration.js';
import { ConfigError, isSluiceError, UsageError } from '../model/errors.js';
import { checkCallOptions } from '../options/call-options.js';
import { durationRule } from '../options/duration-rule.js';
import { OptionReader, show } from '../options/option-reader.js';
import { DEFAULT_PREFIX } from '../stores/budgets.js';
import type { ListChange, ListStore, Store, StoredItem, StoredList } from '../stores/store.js';
import { canonicalAddress } from './address.js';
import { NetworkSet } from './network-set.js';
import { readNetwork, type Network } from './network.js';

export interface IpListOptions {
  /** Names the list in Redis and in events: 1 to 64 of `a-z`, `A-Z`, `0-9`, `_`, `-` and `.`. */
  name: string;
  /**
   * A Redis store, which shares the list among all processes. A list of its own does not survive its process.
   *
   * @default none
   */
  store?: Store;
  /**
   * Networks that are always on the list, also while Redis is away or has lost its data.
   *
   * @example ['203.0.113.0/24', '2001:db8::/32']
   */
  seed?: readonly string[];
  /**
   * How often a process asks for changes, give or take a fifth: 100 ms to 1 h. A change is in force everywhere after that.
   *
   * @default '5s'
   */
  refresh?: Duration;
  /**
   * `'shadow'` publishes each match and denies nothing: it tries a list before it is enforced.
   *
   * @default 'enforce'
   */
  mode?: 'enforce' | 'shadow';
  /** The prefix of its key in Redis. @default 'rl' */
  prefix?: string;
}

export interface AddOptions {
  /** How long the networks stay on the list, from 1 s to 400 days. @default for good */
  for?: Duration;
  /** A remark for operators, at most 200 characters. @default '' */
  note?: string;
}

/** A network on a list. */
export interface ListedNetwork {
  /** `203.0.113.0/24`, or an address alone. */
  readonly network: string;
  /** Whole milliseconds that it stays on the list. `Infinity`: for good. */
  readonly for: number;
  readonly note: string;
  /** Whether the program has it, as its `seed`. */
  readonly isSeed: boolean;
}

/** A list of IP addresses, for the options `allow` and `deny`. */
export interface IpList {
  readonly name: string;
  readonly mode: 'enforce' | 'shadow';
  /** Whether an address is on the list. False for a text that is no address. */
  has(address: string): boolean;
  /**
   * Puts networks on the list, in all processes. One that is there already gets the new end and note.
   *
   * @throws UsageError, as a rejection, for a text that is no network, for a wrong option, and for a list of more than
   *   100 000
   * @throws StoreError, as a rejection, while Redis cannot be reached: nothing was changed
   * @example await blocked.add('198.51.100.7', { for: '1h', note: 'scraper' });
   */
  add(networks: string | readonly string[], options?: AddOptions): Promise<void>;
  /** Takes networks off the list, in all processes. A seed stays. @throws as `add` does */
  remove(networks: string | readonly string[]): Promise<void>;
  /** What is on the list now. */
  entries(): readonly ListedNetwork[];
  /** Asks for changes at once. @throws StoreError, as a rejection, while Redis cannot be reached */
  refresh(): Promise<void>;
  /** Ends its timer. The list stays as it is. */
  close(): void;
}

interface Entry {
  readonly network: Network;
  readonly note: string;
  /** As the store has it, to see whether it has changed. */
  readonly storedUntil: number;
  /** Milliseconds of `performance.now()`. */
  readonly expiresAt: number;
}

const OPTIONS = ['name', 'store', 'seed', 'refresh', 'mode', 'prefix'];
const REFRESH = { range: '100 ms to 1 h', min: 1e5, max: 3.6e9, example: "5000 or '5s'" };
const FOR = { range: '1 s to 400 days', min: 1e6, max: 3.456e13, example: "3600000 or '1h'" };
const ADD_OPTIONS: readonly (keyof AddOptions)[] = ['for', 'note'];
const MAX_NETWORKS = 100_000;
const MAX_NOTE = 200;
/** Processes that were started together do not ask together. */
const JITTER = 0.2;
/** No version of a list in a store. */
const UNKNOWN = '';

/**
 * Creates a list of IP addresses and networks, for the options `allow` and `deny` of a gate. With a Redis store all
 * processes share it, and it changes while they run. A look-up takes no call.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @example
 * const blocked = ipList({ name: 'blocked', store: redisStore({ url }) });
 * app.use(rateLimit({ limit: 100, window: '1m', deny: blocked, allow: ['10.0.0.0/8'] }));
 * await blocked.add('198.51.100.7', { for: '1h' });
 */
export function ipList(options: IpListOptions): IpList {
  const given = Object(options) as IpListOptions;
  const reader = new OptionReader('ipList', given, OPTIONS);
  const { name, seed = [], store, prefix = DEFAULT_PREFIX } = given;
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) {
    throw reader.fail('OPTION_INVALID', 'name', 'must be 1 to 64 of a-z, A-Z, 0-9, _, - and .');
  }
  if (store !== undefined && typeof (store as Partial<ListStore>).readList !== 'function') {
    const rule = 'must be a redisStore, which shares the list, or left out for a list of this process';
    throw reader.fail('OPTION_INVALID', 'store', rule);
  }
  if (typeof prefix !== 'string') throw reader.fail('OPTION_INVALID', 'prefix', 'must be a text');
  return new RefreshedList({
    name,
    seed: readSeed(`ipList "${name}"`, 'seed', seed),
    mode: reader.choice('mode', ['enforce', 'shadow'], 'enforce'),
    interval: reader.milliseconds('refresh', '5s', REFRESH),
    store: store as ListStore | undefined,
    key: `${prefix}:{${name}}:list`,
  });
}

/** The networks of an option. @throws ConfigError that names the wrong one */
export function readSeed(owner: string, option: string, given: readonly string[]): readonly Network[] {
  if (!Array.isArray(given)) {
    const message = `${owner}: ${option} must be an array of addresses and networks, got ${show(given)}`;
    throw new ConfigError('OPTION_INVALID', option, given, message);
  }
  return given.map((text: unknown, index) => {
    const network = readNetwork(text);
    if (typeof network !== 'string') return network;
    const path = `${option}[${index}]`;
    throw new ConfigError('OPTION_INVALID', path, text, `${owner}: ${path} ${network}, got ${show(text)}`);
  });
}

interface ListContext {
  readonly name: string;
  readonly seed: readonly Network[];
  readonly mode: 'enforce' | 'shadow';
  /** Milliseconds. */
  readonly interval: number;
  readonly store: ListStore | undefined;
  readonly key: string;
}

class RefreshedList implements IpList {
  readonly name: string;
  readonly mode: 'enforce' | 'shadow';
  readonly #context: ListContext;
  readonly #seed = new NetworkSet<true>();
  readonly #networks = new NetworkSet<Entry>();
  readonly #entries = new Map<string, Entry>();
  #version = UNKNOWN;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(context: ListContext) {
    this.name = context.name;
    this.mode = context.mode;
    this.#context = context;
    for (const network of context.seed) this.#seed.set(network, true);
    if (context.store) void this.#refreshQuietly();
  }

  has(address: string): boolean {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return false;
    if (this.#seed.has(canonical, isSeeded)) return true;
    const now = performance.now();
    return this.#networks.has(canonical, ({ expiresAt }) => expiresAt > now);
  }

  async add(networks: string | readonly string[], options: AddOptions = {}): Promise<void> {
    checkCallOptions(`ipList "${this.name}": add`, options, ADD_OPTIONS);
    const { note = '' } = options;
    const duration = options.for === undefined ? 0 : this.#durationOf(options.for);
    if (typeof note !== 'string' || note.length > MAX_NOTE) {
      throw this.#misuse(`add: note must be a text of at most ${MAX_NOTE} characters`);
    }
    await this.#change(this.#read('add', networks).map(({ text: name }) => ({ name, duration, note })));
  }

  async remove(networks: string | readonly string[]): Promise<void> {
    await this.#change(this.#read('remove', networks).map(({ text: name }) => leaving(name)));
  }

  entries(): readonly ListedNetwork[] {
    const now = performance.now();
    const seeded = this.#context.seed.map(({ text }) => ({ network: text, for: Infinity, note: '', isSeed: true }));
    const others = [...this.#entries.values()]
      .filter(({ expiresAt }) => expiresAt > now)
      .map(({ network, note, expiresAt }) => ({
        network: network.text,
        for: Math.ceil(expiresAt - now),
        note,
        isSeed: false,
      }));
    return [...seeded, ...others];
  }

  async refresh(): Promise<void> {
    const { store, key } = this.#context;
    if (store) this.#apply(await store.readList(key, this.#version));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** An expired network leaves the list with the next change. */
  async #change(changes: readonly ListChange[]): Promise<void> {
    const now = performance.now();
    const { store, key } = this.#context;
    const names = new Set(changes.map(({ name }) => name));
    const expired = [...this.#entries].filter(([name, { expiresAt }]) => expiresAt <= now && !names.has(name));
    const all = [...expired.map(([name]) => leaving(name)), ...changes];
    const isDone = store ? await store.changeList(key, all, MAX_NETWORKS) : this.#hasRoomFor(all);
    if (!isDone) throw this.#misuse(`add: a list has at most ${MAX_NETWORKS} networks`);
    // At once. The next refresh reads the same from the store.
    const here = Date.now();
    for (const { name, duration, note } of all) {
      this.#put(name, duration === undefined ? undefined : { name, until: duration && here + duration, note }, here);
    }
  }

  #hasRoomFor(changes: readonly ListChange[]): boolean {
    const added = changes.filter(({ name, duration }) => duration !== undefined && !this.#entries.has(name));
    return this.#entries.size + added.length <= MAX_NETWORKS;
  }

  #apply({ now, version, items }: StoredList): void {
    this.#version = version;
    if (items === undefined) return;
    const left = new Set(this.#entries.keys());
    for (const item of items) {
      left.delete(item.name);
      const known = this.#entries.get(item.name);
      if (known?.storedUntil !== item.until || known.note !== item.note) this.#put(item.name, item, now);
    }
    for (const name of left) this.#put(name, undefined, now);
  }

  /** @param now by the clock that `until` is of */
  #put(name: string, item: StoredItem | undefined, now: number): void {
    const known = this.#entries.get(name);
    if (item === undefined) {
      this.#entries.delete(name);
      if (known) this.#networks.delete(known.network);
      return;
    }
    const network = known?.network ?? readNetwork(name);
    // Another program has written to the key.
    if (typeof network === 'string') return;
    const { until, note } = item;
    const expiresAt = until === 0 ? Infinity : performance.now() + until - now;
    const entry = { network, note, storedUntil: until, expiresAt };
    this.#entries.set(name, entry);
    this.#networks.set(network, entry);
  }

  /** The list stays as it is while Redis is away. */
  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      const reason = isSluiceError(error) ? error.message : 'the reply could not be read';
      warn('SLUICE_LIST_STALE', `ipList "${this.name}": its last state stays in force, because ${reason}`);
    }
    if (this.#isClosed) return;
    const pause = this.#context.interval * (1 + JITTER * (2 * Math.random() - 1));
    this.#timer = setTimeout(() => void this.#refreshQuietly(), pause).unref();
  }

  #durationOf(duration: Duration): number {
    const microseconds = parseDuration(duration);
    if (microseconds !== undefined && microseconds >= FOR.min && microseconds <= FOR.max) {
      return Math.ceil(microseconds / 1e3);
    }
    throw this.#misuse(`add: for ${durationRule(duration, FOR)}, got ${show(duration)}`);
  }

  #read(operation: string, networks: string | readonly string[]): readonly Network[] {
    return (Array.isArray(networks) ? networks : [networks]).map((text: unknown) => {
      const network = readNetwork(text);
      if (typeof network !== 'string') return network;
      throw this.#misuse(`${operation}: a network ${network}, got ${show(text)}`);
    });
  }

  #misuse(message: string): UsageError {
    return new UsageError('USAGE_INVALID', `ipList "${this.name}": ${message}`);
  }
}

function isSeeded(): true {
  return true;
}

function leaving(name: string): ListChange {
  return { name, duration: undefined, note: '' };
}
