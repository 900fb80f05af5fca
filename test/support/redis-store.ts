import { redisStore, type RedisStore } from '@sluice/core';
import { Redis } from 'ioredis';
import { patient } from '../../packages/core/src/testing/internal/patient.js';
import { startRedis, type RedisServer } from './redis.js';

/** A Redis, a client of it and a store on that client. */
export interface RedisWithStore {
  readonly server: RedisServer;
  readonly client: Redis;
  readonly store: RedisStore;
}

/** Opens them while the tests of a `describe` block run. Use the members in hooks and tests alone. */
export function withRedisStore(prepare: (opened: RedisWithStore) => unknown = () => undefined): RedisWithStore {
  const opened = {} as { -readonly [Name in keyof RedisWithStore]: RedisWithStore[Name] };

  beforeAll(async () => {
    opened.server = await startRedis();
    opened.client = new Redis(opened.server.port);
    opened.store = redisStore(opened.client, patient);
    await prepare(opened);
  });

  afterAll(async () => {
    await opened.store.close();
    opened.client.disconnect();
    await opened.server.stop();
  });

  return opened;
}
