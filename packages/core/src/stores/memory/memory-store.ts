import {
  credit,
  EMPTY,
  reconcile,
  type Account,
  type Credit,
  type Reconciliation,
} from '../../algorithms/balance/account.js';
import { consumeCovered } from '../../algorithms/balance/covers.js';
import { candidate, peekGroup, type Candidate } from '../../algorithms/group.js';
import { algorithms } from '../../algorithms/algorithms.js';
import type { Claim } from '../../model/claim.js';
import { StoreError } from '../../model/errors.js';
import type { Receipt } from '../../model/receipt.js';
import type { Ruling } from '../../model/ruling.js';
import { OptionReader, show } from '../../options/option-reader.js';
import { toAnswer } from '../answer.js';
import type { CountingStore, StoreStats } from '../store-stats.js';
import type {
  Answer,
  BalanceKey,
  ExportLock,
  LegibleStore,
  LockChange,
  MarkedUnits,
  Reading,
  Store,
  UsageReading,
  UsageStore,
} from '../store.js';
import { Eviction } from './eviction.js';
import { ExportLocks } from './export-locks.js';
import { NONE } from './key-index.js';
import { KeyTable } from './key-table.js';
import { RateKernels } from './rate-kernels.js';
import { UsageTable } from './usage-table.js';
import { Placement, type Place } from './placement.js';

export interface MemoryStoreOptions {
  /**
   * Keys in memory at most, 16 to 2^24. A key takes some 60 bytes and its own text, more with a state of more than two
   * numbers. A new key takes the place of an expired one, else of one with much of its budget left. A key that is being
   * denied stays.
   *
   * @default 100_000
   */
  maxKeys?: number;
  /**
   * Returns the time in milliseconds since 1970, with fractions down to a microsecond.
   *
   * @default a clock that never goes back, by `process.hrtime()`
   */
  clock?: () => number;
}

/** A store in this process. It answers synchronously. */
export interface MemoryStore extends CountingStore {
  /** Keys in memory now. */
  readonly size: number;
  consume(group: readonly Claim[]): Answer;
  peek(group: readonly Claim[]): Answer;
  refund(receipts: readonly Receipt[]): number;
  renew(receipts: readonly Receipt[]): readonly number[];
  credit(balance: BalanceKey, credit: Credit): number | undefined;
  reconcile(balance: BalanceKey, reconciliation: Reconciliation): number;
  reset(keys: readonly string[]): void;
  recorded(key: string): readonly string[];
  close(): void;
}

/**
 * Stores state in memory: for one process, and for the time of an outage of Redis.
 *
 * @example
 * const limiter = createLimiter({ store: memoryStore({ maxKeys: 10_000 }), name: 'api', limit: 100, window: '1m', key });
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const reader = new OptionReader('memoryStore', options, ['maxKeys', 'clock']);
  const maxKeys = reader.integer('OPTION_INVALID', 'maxKeys', { min: 16, max: 2 ** 24, otherwise: 100_000 });
  const { clock = processClock } = options;
  if (typeof clock !== 'function') throw reader.fail('OPTION_INVALID', 'clock', 'must be a function');
  const time: unknown = clock();
  if (typeof time !== 'number' || !Number.isSafeInteger(toMicroseconds(time))) {
    throw reader.fail('OPTION_INVALID', 'clock', `must return milliseconds since 1970 and returned ${show(time)}`);
  }
  return new TableStore(maxKeys, clock);
}

/** A memory store as a limiter uses it. */
export interface DecidingStore extends MemoryStore {
  /** Like `consume`, with an answer that may make its receipts when they are read. */
  decide(group: readonly Claim[]): Answer;
}

/** True for a memory store of this copy of the package. */
export function isMemoryStore(store: Store): store is DecidingStore {
  return store instanceof TableStore;
}

/** When `process.hrtime()` was 0, in milliseconds since 1970. */
const HRTIME_ORIGIN = Date.now() - hrtime();

/** As fast as `performance.now()`, for which Node would load eleven modules more. */
function processClock(): number {
  return HRTIME_ORIGIN + hrtime();
}

function hrtime(): number {
  // By index, because a pattern calls an iterator until V8 has optimised it.
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}

/** Rounds, because 0.007 * 1000 is not quite 7. */
function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e3);
}

/** A claim adds or postpones at most one key, so that two checks for each remove all expired keys in the end. */
const EXPIRY_CHECKS_PER_CLAIM = 2;

class TableStore implements DecidingStore, LegibleStore, UsageStore {
  readonly #clock: () => number;
  readonly #maxKeys: number;
  #table!: KeyTable;
  #placement!: Placement;
  #kernels!: RateKernels;
  /** Undefined until the first units of a tier with usage. */
  #usage: UsageTable | undefined;
  readonly #exportLocks = new ExportLocks();
  #isClosed = false;

  constructor(maxKeys: number, clock: () => number) {
    this.#maxKeys = maxKeys;
    this.#clock = clock;
    this.#clear();
  }

  get size(): number {
    return this.#table.size;
  }

  stats(): StoreStats {
    return { keys: [{ part: 'memory', used: this.size, limit: this.#maxKeys }], breakers: [], inFlight: 0 };
  }

  consume(group: readonly Claim[]): Answer {
    const { outcomes, receipts, source, paidBy, reached } = this.decide(group);
    const answer: Answer =
      paidBy === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, paidBy };
    return reached === undefined ? answer : { ...answer, reached };
  }

  decide(group: readonly Claim[]): Answer {
    const now = this.#now();
    const answer = this.#kernels.decide(group, now) ?? this.#consumeGroup(group, now);
    this.#table.expireSome(now, group.length * EXPIRY_CHECKS_PER_CLAIM);
    return answer;
  }

  peek(group: readonly Claim[]): Answer {
    const now = this.#now();
    const candidates = this.#placement.place(group, now).map((place) => this.#candidate(place));
    peekGroup(candidates, now);
    return answerOf(candidates, now);
  }

  read(group: readonly Claim[]): readonly Reading[] {
    const now = this.#now();
    return this.#placement.place(group, now).map((place) => ({ now, state: this.#placement.stateIn(place) }));
  }

  refund(receipts: readonly Receipt[]): number {
    const now = this.#now();
    this.#usage?.count(receipts, -1, now);
    return receipts.reduce((sum, receipt) => sum + this.#refund(receipt, now), 0);
  }

  countUsage(receipts: readonly Receipt[]): void {
    this.#usage ??= new UsageTable(this.#maxKeys);
    this.#usage.count(receipts, 1, this.#now());
  }

  readUsage(keys: readonly string[]): UsageReading {
    const now = this.#now() / 1e3;
    return { now, hours: keys.map((key) => this.#usage?.of(key) ?? new Map<number, never>()) };
  }

  async *usageKeys(begin: string, end: string): AsyncGenerator<readonly string[]> {
    yield (this.#usage?.keys() ?? []).filter((key) => key.startsWith(begin) && key.endsWith(end));
  }

  markUsage(units: readonly MarkedUnits[]): void {
    for (const each of units) this.#usage?.mark(each);
  }

  lockUsage(prefix: string, change: LockChange): ExportLock {
    return this.#exportLocks.change(prefix, change, this.#now() / 1e3);
  }

  renew(receipts: readonly Receipt[]): readonly number[] {
    const now = this.#now();
    return receipts.map((receipt) => this.#renew(receipt, now));
  }

  credit(balance: BalanceKey, added: Credit): number | undefined {
    return this.#account(balance, (account, now) => credit(account, added, now));
  }

  reconcile(balance: BalanceKey, reconciliation: Reconciliation): number {
    return this.#account(balance, (account, now) => reconcile(account, reconciliation, now))!;
  }

  reset(keys: readonly string[]): void {
    this.#assertOpen();
    for (const key of keys) {
      const slot = this.#table.find(key);
      if (slot !== NONE) this.#table.remove(slot);
    }
  }

  recorded(key: string): readonly string[] {
    const now = this.#now();
    const slot = this.#table.find(key);
    return slot !== NONE && this.#table.expiresAt(slot) > now ? this.#table.textsOf(slot) : [];
  }

  close(): void {
    this.#isClosed = true;
    this.#usage = undefined;
    this.#clear();
  }

  #clear(): void {
    const table = new KeyTable(this.#maxKeys);
    const eviction = new Eviction(table);
    this.#table = table;
    this.#placement = new Placement(table, eviction);
    this.#kernels = new RateKernels(table, eviction);
  }

  #now(): number {
    this.#assertOpen();
    return toMicroseconds(this.#clock());
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreError('STORE_CLOSED', 'the memory store is closed');
  }

  #consumeGroup(group: readonly Claim[], now: number): Answer {
    const places = this.#placement.place(group, now);
    const candidates = places.map((place) => this.#candidate(place));
    const isAdmitted = consumeCovered(candidates, now);
    for (const [index, each] of candidates.entries()) {
      if (!each.changed) continue;
      const slot = this.#placement.commit(places[index]!, each, now);
      if (isAdmitted) this.#record(slot, each);
    }
    return answerOf(candidates, now);
  }

  /** Changes the account of a balance. @throws StoreError where a full store has no room for it */
  #account(balance: BalanceKey, change: (account: Account, now: number) => Account | undefined): number | undefined {
    const now = this.#now();
    const stored = this.#placement.stateOf(balance) as Account | undefined;
    const account = change(stored ?? EMPTY, Math.floor(now / balance.policy.tick));
    if (account === undefined) return undefined;
    if (account !== stored && !this.#placement.insert(balance, account, now)) {
      throw new StoreError('STORE_UNAVAILABLE', 'the memory store is full of keys that must stay: raise maxKeys');
    }
    return account.left;
  }

  #candidate(place: Place): Candidate {
    return candidate(place.claim, this.#placement.stateIn(place));
  }

  #record(slot: number, { claim, charged }: Candidate): void {
    if (slot !== NONE && claim.record !== undefined && charged > 0) this.#table.addText(slot, claim.record);
  }

  #refund(receipt: Receipt, now: number): number {
    const { policy } = receipt;
    const stored = this.#placement.stateOf(receipt);
    if (stored === undefined) return 0;
    const ticks = Math.floor(now / policy.tick);
    const { state, given } = algorithms[policy.algorithm].refund(stored, ticks, policy, receipt);
    if (given > 0) this.#placement.rewrite(receipt, state, now);
    return given;
  }

  #renew(receipt: Receipt, now: number): number {
    const { policy } = receipt;
    const stored = this.#placement.stateOf(receipt);
    const { state, lapsed } = algorithms[policy.algorithm].renew!(
      stored,
      Math.floor(now / policy.tick),
      policy,
      receipt,
    );
    this.#placement.put(receipt, state, now);
    return lapsed;
  }
}

function answerOf(candidates: readonly Candidate[], now: number): Answer {
  const claims = new Array<Claim>(candidates.length);
  const rulings = new Array<Ruling>(candidates.length);
  for (let index = 0; index < candidates.length; index += 1) {
    const { claim, ruling } = candidates[index]!;
    claims[index] = claim;
    rulings[index] = ruling!;
  }
  return toAnswer(claims, rulings, { source: 'memory', now });
}
