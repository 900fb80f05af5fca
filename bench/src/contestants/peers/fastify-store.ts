import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';

/** The answer of a store of @fastify/rate-limit. */
export interface Hits {
  readonly current: number;
  readonly ttl: number;
}

/** A store of @fastify/rate-limit, which has no types of its own. */
export interface FastifyStore {
  incr(key: string, callback: (error: Error | null, hits: Hits) => void, window: number, limit: number): void;
}

type RedisStoreClass = new (
  continueExceeding: boolean,
  exponentialBackoff: boolean,
  client: Redis,
  prefix: string,
) => FastifyStore;

type LocalStoreClass = new (continueExceeding: boolean, exponentialBackoff: boolean, cache: number) => FastifyStore;

const load = createRequire(import.meta.url);

export const RedisStore = load('@fastify/rate-limit/store/RedisStore.js') as RedisStoreClass;
export const LocalStore = load('@fastify/rate-limit/store/LocalStore.js') as LocalStoreClass;

/** Calls the store as the plugin does. */
export function increment(store: FastifyStore, key: string, { window, limit }: Numbers): Promise<Hits> {
  return new Promise((resolve, reject) => {
    store.incr(key, (error, hits) => (error ? reject(error) : resolve(hits)), window, limit);
  });
}

interface Numbers {
  readonly window: number;
  readonly limit: number;
}
