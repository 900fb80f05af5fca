import {
  type CountingStore,
  type Duration,
  registerWire,
  setKeyspace,
  type StoreAbilities,
  type Wire,
} from '@sluice/core/internal';
import type { Batcher } from './batch/batcher.js';
import { warnOfSettings } from './client/client-check.js';
import { clientOfNodeRedis, isNodeRedis, type NodeRedisClient } from './client/client-of.js';
import { connect } from './client/connect.js';
import type { RedisClient } from './client/redis-client.js';
import type { RedisOptions } from './client/redis-options.js';
import { toServerError } from './connection/classify-error.js';
import { ScriptStore } from './script-store.js';
import { openBatcher, readDeadlines, sharedBatcher } from './shared-batcher.js';

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
export interface RedisStore extends CountingStore, StoreAbilities {
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
 * const reconnectOnError = ({ message }) => (/^(READONLY|MASTERDOWN)/.test(message) ? 1 : false);
 * const settings = { enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 2_000, reconnectOnError };
 * const store = redisStore(new Redis(settings));
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
    const batcher = sharedBatcher(from, deadlines);
    const store = new ScriptStore(batcher, undefined);
    setKeyspace(store, from);
    registerWire(store, wireOn(batcher, from));
    return store;
  }
  const client = connect(from);
  const batcher = openBatcher(client, client.run, deadlines);
  const store = new ScriptStore(batcher, client);
  registerWire(store, wireOn(batcher, client.ioredis));
  return store;
}

function wireOn({ connection }: Batcher, client: object): Wire {
  const { deadline } = connection;
  return {
    client,
    deadline: deadline.milliseconds,
    mistake: () => connection.mistake,
    problemOf: (error) => toServerError(error, connection.isCluster),
  };
}

function isClient(from: RedisClient | RedisOptions): from is RedisClient {
  return typeof (from as Partial<RedisClient> | undefined | null)?.evalsha === 'function';
}
