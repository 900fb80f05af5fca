import { type Duration } from '../../model/duration.js';
import type { Store } from '../store.js';
import type { RedisClient } from './redis-client.js';
import type { RedisOptions } from './redis-options.js';
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
export declare function redisStore(from: RedisClient | RedisOptions, options?: RedisStoreOptions): RedisStore;
//# sourceMappingURL=redis-store.d.ts.map