import type { Claim } from '../../model/claim.js';
import { StoreError } from '../../model/errors.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer, Store } from '../store.js';
import { connect, type OwnedClient } from './connect.js';
import { consumeAcross } from './consume-across.js';
import type { RedisClient } from './redis-client.js';
import type { RedisOptions } from './redis-options.js';
import { SlotCalls } from './slot-calls.js';

/**
 * Keeps state in Redis 7.0 or later, or Valkey 7.2 or later: one server, Sentinel or Cluster. All tiers of a request are
 * decided in one script call, on the server's clock; checks of one turn of the event loop share a call.
 *
 * @param from an ioredis client of yours (or anything with the few methods that are called), which stays yours to close;
 *   or how to connect, for a client of the store's own with the settings that a limiter needs
 * @throws ConfigError
 */
export function redisStore(from: RedisClient | RedisOptions): Store {
  if (isClient(from)) return new RedisStore(from, undefined);
  const owned = connect(from);
  return new RedisStore(owned, owned);
}

function isClient(from: RedisClient | RedisOptions): from is RedisClient {
  return typeof (from as Partial<RedisClient> | undefined | null)?.evalsha === 'function';
}

class RedisStore implements Store {
  readonly #calls: SlotCalls;
  readonly #owned: OwnedClient | undefined;
  /** What is more than checks, which the queue knows of itself. */
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(client: RedisClient, owned: OwnedClient | undefined) {
    this.#calls = new SlotCalls(client);
    this.#owned = owned;
  }

  consume(group: readonly Claim[]): Promise<Answer> {
    return this.#begin(() => {
      const parts = this.#calls.bySlot(group);
      if (parts.length === 1) return this.#calls.consume(group);
      return this.#track(consumeAcross(this.#calls, group, parts));
    });
  }

  peek(group: readonly Claim[]): Promise<Answer> {
    return this.#begin(() => this.#calls.peek(group));
  }

  refund(receipts: readonly Receipt[]): Promise<number> {
    return this.#begin(() => this.#track(this.#calls.refund(receipts)));
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.#begin(() => this.#track(this.#calls.reset(keys)));
  }

  inspect(key: string): Promise<readonly string[]> {
    return this.#begin(() => this.#track(this.#calls.inspect(key)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#calls.idle(), ...this.#underWay]);
    await this.#owned?.end();
  }

  #begin<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreError('STORE_CLOSED', 'this store has been closed'));
    return call();
  }

  #track<T>(answer: Promise<T>): Promise<T> {
    const forget = () => void this.#underWay.delete(answer);
    this.#underWay.add(answer);
    answer.then(forget, forget);
    return answer;
  }
}
