import { redisStore, type RedisStore } from '@sluice/redis';
import { Redis, type Cluster } from 'ioredis';
import { patient } from './patient.js';
import { startRedis, type RedisServer } from './redis.js';

/** A Redis, a client of it and a store on that client. */
export interface RedisWithStore extends RedisWithClient {
  readonly store: RedisStore;
}

/** A Redis and a client of it. */
export interface RedisWithClient {
  readonly server: RedisServer;
  readonly client: Redis;
}

/** A Redis, and two stores with a client each, like those of two processes. */
export interface RedisWithStores extends RedisWithClient {
  readonly stores: readonly [RedisStore, RedisStore];
}

/** Opens them while the tests of a `describe` block run. Use the members in hooks and tests alone. */
export function withRedisStore(prepare: (opened: RedisWithStore) => unknown = () => undefined): RedisWithStore {
  // Jest runs these hooks in order, and a store closes before its client.
  afterAll(() => opened.store.close());
  const opened = withRedis() as RedisWithClient & { store: RedisStore };

  beforeAll(async () => {
    opened.store = redisStore(opened.client, patient);
    await prepare(opened);
  });

  return opened;
}

/** Like `withRedisStore`, without a store. */
export function withRedis(): RedisWithClient {
  const opened = {} as { -readonly [Name in keyof RedisWithClient]: RedisWithClient[Name] };

  beforeAll(async () => {
    opened.server = await startRedis();
    opened.client = new Redis(opened.server.port);
  });

  afterAll(async () => {
    opened.client.disconnect();
    await opened.server.stop();
  });

  return opened;
}

/** Like `withRedisStore`, with two stores. */
export function withRedisStores(): RedisWithStores {
  let other: Redis;
  afterAll(async () => {
    await Promise.all(opened.stores.map((store) => store.close()));
    other.disconnect();
  });
  const opened = withRedis() as RedisWithClient & { stores: [RedisStore, RedisStore] };

  beforeAll(async () => {
    other = new Redis(opened.server.port);
    opened.stores = [redisStore(opened.client, patient), redisStore(other, patient)];
    await Promise.all(opened.stores.map((store) => store.ready()));
  });

  return opened;
}

/** A store with tier names of its own, although tests share its client: another object on the same connection. */
export function newStoreOn(client: Redis | Cluster): RedisStore {
  // Each store listens to this connection, and a suite makes dozens.
  client.setMaxListeners(0);
  const another = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  // Deadlines have tests of their own: a busy machine must not decide these.
  return redisStore(another, patient);
}
