import type { Claim } from '../../model/claim.js';
import { parseDuration, type Duration } from '../../model/duration.js';
import { StoreError } from '../../model/errors.js';
import { OptionReader } from '../../options/option-reader.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer, Store } from '../store.js';
import { checkClientSettings } from './client/client-check.js';
import { connect } from './client/connect.js';
import { consumeAcrossTags } from './cluster.js';
import type { ManagedClient } from './client/managed-client.js';
import type { RedisClient } from './client/redis-client.js';
import type { RedisOptions } from './client/redis-options.js';
import { slotCalls } from './shared-link.js';
import type { SlotCalls } from './slot-calls.js';
import { untilReady } from './until-ready.js';

export interface RedisStoreOptions {
  /**
   * The longest that a request waits for Redis, from 1 ms to 10 s. All stores on a client have the same.
   *
   * @default 50
   */
  deadline?: Duration;
}

/** A store in Redis. Every call of it is answered or rejects within the deadline. */
export interface RedisStore extends Store {
  /**
   * Resolves when Redis answers. To be awaited before a process takes requests, whose first are limited by this process
   * alone otherwise, while it connects. Rejects with a StoreError that says why, when there is no answer for 10 seconds.
   */
  ready(): Promise<void>;
}

/**
 * Keeps state in Redis 7.0 or later, or Valkey 7.2 or later: one server, Sentinel or Cluster. All tiers of a request are
 * decided in one script call, on the server's clock; checks of one turn of the event loop share a call.
 *
 * @param from how to connect, for a client of the store's own with the settings that a limiter needs; or an ioredis
 *   client of yours (or anything with the few methods that are called), which stays yours to close
 * @throws ConfigError
 */
export function redisStore(from: RedisClient | RedisOptions, options: RedisStoreOptions = {}): RedisStore {
  const deadline = readDeadline(options);
  if (isClient(from)) {
    checkClientSettings(from);
    return new CallingStore(slotCalls(from, deadline), undefined);
  }
  const owned = connect(from);
  return new CallingStore(slotCalls(owned, deadline), owned);
}

function isClient(from: RedisClient | RedisOptions): from is RedisClient {
  return typeof (from as Partial<RedisClient> | undefined | null)?.evalsha === 'function';
}

/** In milliseconds. @throws ConfigError */
function readDeadline(options: RedisStoreOptions): number {
  const reader = new OptionReader('redisStore', Object(options) as object, ['deadline']);
  const { deadline = 50 } = options;
  const microseconds = parseDuration(deadline);
  if (microseconds !== undefined && microseconds >= 1e3 && microseconds <= 1e7) return microseconds / 1e3;
  throw reader.fail('OPTION_INVALID', 'deadline', "must be a duration from 1 ms to 10 s, such as 50 or '50ms'");
}

class CallingStore implements RedisStore {
  readonly #calls: SlotCalls;
  readonly #owned: ManagedClient | undefined;
  /** What takes several calls, one after the other. */
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(calls: SlotCalls, owned: ManagedClient | undefined) {
    this.#calls = calls;
    this.#owned = owned;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    if (this.#closed) return closed();
    // Nearly always it is one call.
    if (this.#calls.isOnePart(group)) return this.#calls.consume(group);
    return this.#track(consumeAcrossTags(this.#calls, group, this.#calls.bySlot(group)));
  }

  peek(group: readonly Claim[]): Promise<Answer> {
    return this.#begin(() => this.#calls.peek(group));
  }

  refund(receipts: readonly Receipt[]): Promise<number> {
    return this.#begin(() => this.#calls.refund(receipts));
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.#begin(() => this.#calls.reset(keys));
  }

  inspect(key: string): Promise<readonly string[]> {
    return this.#begin(() => this.#calls.inspect(key));
  }

  ready(): Promise<void> {
    return untilReady(() => this.#begin(() => this.#calls.ping()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#calls.idle(), ...this.#underWay]);
    await this.#owned?.end();
  }

  #begin<T>(call: () => Promise<T>): Promise<T> {
    return this.#closed ? closed() : call();
  }

  #track<T>(answer: Promise<T>): Promise<T> {
    const forget = () => void this.#underWay.delete(answer);
    this.#underWay.add(answer);
    answer.then(forget, forget);
    return answer;
  }
}

function closed(): Promise<never> {
  return Promise.reject(new StoreError('STORE_CLOSED', 'this store has been closed'));
}
