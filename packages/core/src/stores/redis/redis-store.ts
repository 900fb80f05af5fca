import type { Credit, Reconciliation } from '../../algorithms/balance/account.js';
import { chain } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import type { Duration } from '../../model/duration.js';
import { ConfigError, StoreError } from '../../model/errors.js';
import { endsWithRequest, type Receipt } from '../../model/receipt.js';
import { processWide } from '../../model/process-wide.js';
import type { DurationRange } from '../../options/duration-rule.js';
import { OptionReader } from '../../options/option-reader.js';
import { DEFAULT_PREFIX, setKeyspace } from '../keyspace.js';
import { limitersOf } from '../limiters-of.js';
import type { CountingStore, StoreStats } from '../store-stats.js';
import { registerWire } from '../wires.js';
import type {
  Answer,
  BalanceKey,
  ExportLock,
  LegibleStore,
  ListChange,
  ListChanged,
  ListPage,
  ListPosition,
  ListStore,
  LockChange,
  LostItems,
  HourUnits,
  MarkedUnits,
  Reading,
  Reception,
  UsageReading,
  UsageStore,
} from '../store.js';
import { encodeChecks } from './batch/batch.js';
import { Batcher } from './batch/batcher.js';
import { warnOfSettings } from './client/client-check.js';
import { clientOfNodeRedis, isNodeRedis, type NodeRedisClient } from './client/client-of.js';
import { commandRunner } from './client/command-runner.js';
import { connect } from './client/connect.js';
import type { ManagedClient } from './client/managed-client.js';
import type { RedisClient } from './client/redis-client.js';
import type { RedisOptions } from './client/redis-options.js';
import type { RunScript, ScriptCall } from './client/run-script.js';
import { consumeAcrossTags, mergeAnswers, splitByTag, type TagCalls } from './cluster.js';
import type { CallRequest } from './connection/call.js';
import { Connection, type ObservedClient } from './connection/connection.js';
import { Deadline } from './connection/deadline.js';
import { PROBE_CLAIM } from './connection/probe.js';
import { changedNothing, isRefusal, unreadableKey } from './connection/redis-error.js';
import { recordKey, reportedKey, usageKey } from './encoding/beside-key.js';
import { policyArguments } from './encoding/script-request.js';
import type { Script } from './lua/script.js';
import { scripts } from './lua/scripts.js';
import { readingsOf } from './readings.js';
import { refundCalls, refundedUnits, unitsIn } from './refunds.js';
import { RunningUnits } from './running-units.js';
import { exportLock, lockKeys, markArguments, ownersOf, usagePattern, usageReading } from './stored-usage.js';
import { changeArguments, listChanged, listKeys, listPage, restoreArguments } from './stored-list.js';

export interface RedisStoreOptions {
  /**
   * The longest time that a request waits for Redis, from 1 ms to 10 s. All stores on a client have the same deadline.
   *
   * @default 50
   */
  deadline?: Duration;
  /**
   * The longest time that the first requests wait for the first connection, from 1 ms to 1 min. No outage is reported
   * before. All stores on a client have the same.
   *
   * @default 2 s
   */
  connectDeadline?: Duration;
}

/** A store in Redis. Each method resolves or rejects within the deadline, except `ready` and `close`. */
export interface RedisStore extends CountingStore {
  /**
   * Resolves when Redis can decide requests. It runs the script on keys of its own: with the prefixes of the limiters
   * that exist by then, and on every primary of a Cluster. Await it before the process takes requests. Rejects with a
   * StoreError that has the reason: at once if only an operator can cure it, else after 10 seconds, or
   * after `connectDeadline` if it is longer.
   */
  ready(): Promise<void>;
}

/**
 * A store in Redis 7.0 or later, or Valkey 7.2 or later: one server, Sentinel or Cluster. One script call on the clock of
 * the server decides all tiers of a request, and concurrent requests share calls.
 *
 * @param from where to connect: the store has a client with the settings that a limiter needs
 * @throws ConfigError
 * @example
 * const store = redisStore({ url: 'redis://127.0.0.1:6379' });
 * const limiter = createLimiter({ store, key: ({ user }) => user, limit: 100, window: '1m' });
 */
export function redisStore(from: RedisOptions, options?: RedisStoreOptions): RedisStore;
/**
 * A store on your client of ioredis, iovalkey or node-redis, or on any object with the methods of RedisClient, such as one
 * of `clientOf`. You close the client yourself.
 *
 * @param from the client, or where to connect
 * @throws ConfigError
 * @example
 * const store = redisStore(new Redis({ enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 2_000 }));
 */
// Second, so that editors complete options and not the methods of a client.
export function redisStore(from: RedisClient | NodeRedisClient | RedisOptions, options?: RedisStoreOptions): RedisStore;
export function redisStore(
  from: RedisClient | NodeRedisClient | RedisOptions,
  options: RedisStoreOptions = {},
): RedisStore {
  const deadlines = readDeadlines(options);
  if (isNodeRedis(from)) return redisStore(clientOfNodeRedis(from), options);
  if (isClient(from)) {
    warnOfSettings(from);
    const store = new ScriptStore(sharedBatcher(from, deadlines), undefined);
    setKeyspace(store, from);
    registerWire(store, { client: from, deadline: deadlines.deadline });
    return store;
  }
  const client = connect(from);
  const store = new ScriptStore(openBatcher(client, client.run, deadlines), client);
  registerWire(store, { client: client.ioredis, deadline: deadlines.deadline });
  return store;
}

function isClient(from: RedisClient | RedisOptions): from is RedisClient {
  return typeof (from as Partial<RedisClient> | undefined | null)?.evalsha === 'function';
}

const DEADLINE: DurationRange = { range: '1 ms to 10 s', max: 1e7, example: "50 or '50ms'", isShort: true };
const CONNECT_DEADLINE: DurationRange = { range: '1 ms to 1 min', max: 6e7, example: "2000 or '2s'" };

/** In milliseconds. */
interface Deadlines {
  readonly deadline: number;
  readonly connectDeadline: number;
}

/** @throws ConfigError */
function readDeadlines(options: RedisStoreOptions): Deadlines {
  const reader = new OptionReader('redisStore', Object(options) as object, ['deadline', 'connectDeadline']);
  return {
    deadline: reader.milliseconds('deadline', 50, DEADLINE),
    connectDeadline: reader.milliseconds('connectDeadline', 2_000, CONNECT_DEADLINE),
  };
}

/** All stores on a client share batches and fail together. */
const batchers = processWide('batchers', () => new WeakMap<RedisClient, Batcher>());

/** @throws ConfigError if another store on this client has other deadlines */
function sharedBatcher(client: RedisClient, deadlines: Deadlines): Batcher {
  const batcher = batchers.get(client) ?? openBatcher(client, commandRunner(client), deadlines);
  batchers.set(client, batcher);
  const { deadline, connectDeadline } = batcher.connection;
  const known: Deadlines = { deadline: deadline.milliseconds, connectDeadline };
  for (const name of ['deadline', 'connectDeadline'] as const) {
    if (known[name] === deadlines[name]) continue;
    throw new ConfigError(
      'OPTION_INVALID',
      name,
      deadlines[name],
      `redisStore: ${name} must be the same for all stores on a client, because their checks share calls: it is ${known[name]} ms there, got ${deadlines[name]}`,
    );
  }
  return batcher;
}

function openBatcher(client: ObservedClient, run: RunScript, deadlines: Deadlines): Batcher {
  const probe = encodeChecks([{ group: [PROBE_CLAIM], isPeek: false }]);
  const { deadline, connectDeadline } = deadlines;
  return new Batcher(new Connection(client, { run, deadline: new Deadline(deadline), connectDeadline, probe }));
}

const READY_TIMEOUT_MS = 10_000;
const READY_RETRY_MS = 50;

class ScriptStore implements RedisStore, LegibleStore, ListStore, UsageStore {
  readonly #batcher: Batcher;
  readonly #connection: Connection;
  /** The client that the store closes. */
  readonly #client: ManagedClient | undefined;
  /** Operations of several calls, one after the other. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #running: RunningUnits;
  #isClosed = false;
  readonly #tagCalls: TagCalls;

  constructor(batcher: Batcher, client: ManagedClient | undefined) {
    this.#batcher = batcher;
    this.#connection = batcher.connection;
    this.#client = client;
    this.#running = new RunningUnits({
      split: (receipts) => this.#split(receipts),
      send: (call) => this.#send(call),
      flush: () => batcher.flush(),
    });
    // These also work while the store closes.
    this.#tagCalls = {
      deadline: batcher.connection.deadline.milliseconds,
      consume: (group) => batcher.enqueue(group, 'consume'),
      peek: (group) => this.#peek(group),
      refund: (receipts) => this.#refund(receipts),
      record: (claims) => this.#record(claims),
    };
  }

  stats(): StoreStats {
    return { keys: [], breakers: this.#connection.breakers(), inFlight: this.#connection.inFlight() };
  }

  outageOf(group: readonly { readonly key: string }[]): StoreError | undefined {
    if (this.#isClosed) return undefined;
    if (!this.#connection.isCluster) return this.#connection.outageOf(group[0]!.key);
    for (const { key } of group) {
      const outage = this.#connection.outageOf(key);
      if (outage) return outage;
    }
    return undefined;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(closedError());
    const isOneCall = group.length === 1 || this.#split(group).length === 1;
    if (isOneCall) return this.#batcher.enqueue(group, 'consume');
    return this.#track(consumeAcrossTags(this.#tagCalls, group));
  }

  decide(group: readonly Claim[], reception: Reception): MaybePromise<Answer> {
    if (this.#isClosed) return reception.onError(group, closedError());
    // One question a batch: what joins it meets the fate of its first check.
    const outage = this.#batcher.isCollecting ? undefined : this.outageOf(group);
    if (outage !== undefined) return reception.onError(group, outage);
    if (!this.#connection.isCluster || this.#split(group).length === 1) {
      return this.#batcher.enqueue(group, 'consume', reception);
    }
    return chain(
      this.#track(consumeAcrossTags(this.#tagCalls, group)),
      (answer) => reception.onAnswer(group, answer),
      (error) => reception.onError(group, error),
    );
  }

  async peek(group: readonly Claim[]): Promise<Answer> {
    this.#assertOpen();
    return this.#peek(group);
  }

  /** In one call, unless keys of a Cluster have several hash tags. */
  async read(group: readonly Claim[]): Promise<readonly Reading[]> {
    this.#assertOpen();
    this.#batcher.flush();
    const readings = new Map<Claim, Reading>();
    const read = async (part: readonly Claim[]) => {
      const policies = part.flatMap(({ policy }) => policyArguments(policy));
      const reported = part.filter(({ policy }) => policy.marks !== undefined).map(({ key }) => reportedKey(key));
      const reply = readingsOf(await this.#run(scripts.states, [...keysOf(part), ...reported], policies), part);
      for (const [index, claim] of part.entries()) readings.set(claim, reply[index]!);
    };
    await Promise.all(this.#split(group).map(read));
    return group.map((claim) => readings.get(claim)!);
  }

  refund(receipts: readonly Receipt[]): MaybePromise<number> {
    if (this.#isClosed) return Promise.reject(closedError());
    return receipts.every(endsWithRequest) ? this.#running.release(receipts) : this.#refund(receipts);
  }

  async renew(receipts: readonly Receipt[]): Promise<readonly (number | Error)[]> {
    this.#assertOpen();
    return this.#running.renew(receipts);
  }

  async chargeFirst(claim: Claim): Promise<void> {
    this.#assertOpen();
    const call = encodeChecks([{ group: [claim], isPeek: false }]);
    const { rulings } = call.decode(await this.#send({ ...call, by: 'source' }));
    if (typeof rulings[0] === 'string') throw unreadableKey(rulings[0]);
  }

  async releaseFirst(receipts: readonly Receipt[]): Promise<readonly (number | Error)[]> {
    this.#assertOpen();
    return this.#running.releaseFirst(receipts);
  }

  /** The error of a group of several calls says nothing about the other calls. */
  changedNothing(error: unknown, group: readonly { readonly key: string }[]): boolean {
    return changedNothing(error) && this.#split(group).length === 1;
  }

  onReady(listener: () => void): () => void {
    return this.#connection.onReady(listener);
  }

  onAnswer(listener: () => void): () => void {
    return this.#connection.onAnswer(listener);
  }

  async credit(balance: BalanceKey, { units, id }: Credit): Promise<number | undefined> {
    const left = await this.#changeBalance(scripts.credit, balance, [units, id]);
    return left < 0 ? undefined : left;
  }

  async reconcile(balance: BalanceKey, { units, since = -1 }: Reconciliation): Promise<number> {
    return this.#changeBalance(scripts.reconcile, balance, [units, since]);
  }

  async reset(keys: readonly string[]): Promise<void> {
    this.#assertOpen();
    this.#batcher.flush();
    const parts = this.#split(
      keys.flatMap((key) => [key, recordKey(key), reportedKey(key)].map((each) => ({ key: each }))),
    );
    await Promise.all(parts.map((part) => this.#run(scripts.reset, keysOf(part))));
  }

  async recorded(key: string): Promise<readonly string[]> {
    this.#assertOpen();
    this.#batcher.flush();
    return (await this.#run(scripts.recorded, [recordKey(key)])) as string[];
  }

  /** The keys of a request may be on several servers. */
  get isCluster(): boolean {
    return this.#connection.isCluster;
  }

  get connectDeadline(): number {
    return this.#connection.connectDeadline;
  }

  isRefusal(error: unknown): boolean {
    return isRefusal(error);
  }

  async readList(key: string, { epoch, added, removed }: ListPosition): Promise<ListPage> {
    return listPage(await this.#runAside(scripts['read-list'], listKeys(key), [epoch, added, removed]));
  }

  async changeList(key: string, changes: readonly ListChange[], most: number): Promise<ListChanged | undefined> {
    return listChanged(await this.#runAside(scripts['change-list'], listKeys(key), changeArguments(changes, most)));
  }

  async restoreList(key: string, lost: LostItems): Promise<boolean> {
    return Number(await this.#runAside(scripts['restore-list'], listKeys(key), restoreArguments(lost))) === 1;
  }

  async readUsage(keys: readonly string[]): Promise<UsageReading> {
    this.#batcher.flush();
    const hours = new Map<string, ReadonlyMap<number, HourUnits>>();
    let earliest = Infinity;
    const read = async (part: readonly { readonly key: string }[]) => {
      const reply = await this.#runAside(scripts['read-usage'], keysOf(part).map(usageKey), []);
      const { now, hours: found } = usageReading(reply);
      earliest = Math.min(earliest, now);
      for (const [index, { key }] of part.entries()) hours.set(key, found[index]!);
    };
    await Promise.all(this.#split(keys.map((key) => ({ key }))).map(read));
    return { now: earliest, hours: keys.map((key) => hours.get(key)!) };
  }

  async *usageKeys(begin: string, end: string): AsyncGenerator<readonly string[]> {
    const tags = this.#connection.isCluster ? this.#connection.tagsOfPrimaries() : ['~usage'];
    for (const tag of tags) {
      let cursor = '0';
      do {
        const key = `${begin}{${tag}}`;
        const args = [cursor, usagePattern(begin, end), key];
        const reply = await this.#runAside(scripts['scan-usage'], [key], args);
        const [next, keys] = reply as [unknown, unknown[]];
        cursor = String(next);
        if (keys.length > 0) yield ownersOf(keys);
      } while (cursor !== '0');
    }
  }

  async markUsage(units: readonly MarkedUnits[]): Promise<void> {
    const mark = (part: readonly MarkedUnits[]) =>
      this.#runAside(scripts['mark-usage'], keysOf(part).map(usageKey), markArguments(part));
    await Promise.all(this.#split(units).map(mark));
  }

  async lockUsage(prefix: string, change: LockChange): Promise<ExportLock> {
    const { holder, scope, milliseconds, completed = 0 } = change;
    const args = [holder, scope, milliseconds, Math.floor(completed)];
    return exportLock(await this.#runAside(scripts['lock-usage'], lockKeys(prefix), args));
  }

  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_TIMEOUT_MS;
    for (;;) {
      this.#assertOpen();
      try {
        await this.#tryScript();
        return;
      } catch (error) {
        if (isRefusal(error) || performance.now() >= giveUpAt) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, READY_RETRY_MS));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#batcher.flush();
    await this.#running.ended();
    await Promise.allSettled([this.#connection.idle(), ...this.#pending]);
    await this.#client?.end();
  }

  /** Decides requests of its own. Two keys in one call fail on a node of a Cluster whose client does not know that it is one. */
  async #tryScript(): Promise<void> {
    const prefixes = new Set(limitersOf(this).map(({ prefix }) => prefix));
    for (const prefix of prefixes.size === 0 ? [DEFAULT_PREFIX] : prefixes) {
      const claimOf = (tag: string): Claim => ({ ...PROBE_CLAIM, key: `${prefix}:{${tag}}:probe` });
      if (this.#connection.isCluster) {
        // A client of a Cluster knows its primaries when it has connected.
        await this.#batcher.enqueue([claimOf('probe')], 'consume');
        const ofPrimaries = this.#connection.tagsOfPrimaries();
        await Promise.all(ofPrimaries.map((tag) => this.#batcher.enqueue([claimOf(tag)], 'consume')));
      } else await this.#batcher.enqueue([claimOf('probe'), claimOf('other')], 'consume');
    }
  }

  async #peek(group: readonly Claim[]): Promise<Answer> {
    const parts = this.#split(group);
    const answers = await Promise.all(parts.map((part) => this.#batcher.enqueue(part, 'peek')));
    return answers.length === 1 ? answers[0]! : mergeAnswers(group, parts, answers);
  }

  async #refund(receipts: readonly Receipt[]): Promise<number> {
    const running = receipts.filter(endsWithRequest);
    if (running.length === 0) return this.#refundUnits(receipts);
    const others = receipts.filter((receipt) => !endsWithRequest(receipt));
    const [released, refunded] = await Promise.all([
      this.#running.release(running),
      others.length > 0 ? this.#refundUnits(others) : 0,
    ]);
    return released + refunded;
  }

  async #refundUnits(receipts: readonly Receipt[]): Promise<number> {
    this.#batcher.flush();
    const calls = this.#split(receipts).flatMap(refundCalls);
    const replies = await Promise.all(calls.map(({ script, keys, args }) => this.#run(script, keys, args)));
    return refundedUnits(replies);
  }

  async #changeBalance(script: Script, { key }: BalanceKey, args: readonly (string | number)[]): Promise<number> {
    this.#assertOpen();
    this.#batcher.flush();
    return unitsIn(await this.#run(script, [key], args));
  }

  /** Stores the texts of an admitted request. A failure is ignored, because it must not fail the request. */
  #record(claims: readonly Claim[]): Promise<unknown> {
    const parts = this.#split(claims.filter(({ record }) => record !== undefined));
    const calls = parts.map((part) => {
      const keys = keysOf(part);
      return this.#run(
        scripts.record,
        [...keys, ...keys.map(recordKey)],
        part.map(({ record }) => record!),
      );
    });
    return Promise.allSettled(calls);
  }

  #run(script: Script, keys: readonly string[], args: readonly (string | number)[] = []): Promise<unknown> {
    return this.#send({ script, keys, args });
  }

  #send(call: ScriptCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#connection.send(requestOf(call, resolve, reject), performance.now());
    });
  }

  /** For calls that no request waits for. */
  #runAside(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#assertOpen();
      this.#connection.sendAside(requestOf({ script, keys, args }, resolve, reject), performance.now());
    });
  }

  /** The parts that can go into one call each. */
  #split<T extends { readonly key: string }>(items: readonly T[]): readonly (readonly T[])[] {
    if (this.#connection.isCluster) return splitByTag(items);
    return items.length === 0 ? [] : [items];
  }

  #track<T>(operation: Promise<T>): Promise<T> {
    const forget = () => void this.#pending.delete(operation);
    this.#pending.add(operation);
    operation.then(forget, forget);
    return operation;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedError();
  }
}

function requestOf(
  call: ScriptCall,
  resolve: (reply: unknown) => void,
  reject: (error: StoreError) => void,
): CallRequest {
  return { encode: () => call, groups: 0, decode: (reply) => reply, resolve, reject };
}

function closedError(): StoreError {
  return new StoreError('STORE_CLOSED', 'this store is closed');
}

function keysOf(items: readonly { readonly key: string }[]): string[] {
  return items.map(({ key }) => key);
}
