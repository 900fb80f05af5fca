import { memoryStore, redisStore, type Store } from '@sluice/express';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis.js';

/** Where the state of a limiter is kept while a test runs. */
export interface Kept {
  /** A store of its own: no two share a key. It waits for longer than a busy machine takes. */
  newStore(): Store;
  /** Where the state is in Redis. */
  readonly redis: { readonly server: RedisServer; readonly client: Redis } | undefined;
}

/** Runs the same sentences on memory and on Redis. What is given is for the tests, not for their block. */
export function onEachStore(define: (kept: Kept) => void): void {
  describe('in memory', () => define({ newStore: () => memoryStore(), redis: undefined }));

  describe('on Redis', () => {
    let server: RedisServer;
    let client: Redis;

    beforeAll(async () => {
      server = await startRedis();
      client = new Redis(server.port);
    });

    afterEach(async () => {
      await client.flushall();
    });

    afterAll(async () => {
      client.disconnect();
      await server.stop();
    });

    define({
      newStore: () => redisStore(client, { deadline: '5s' }),
      get redis() {
        return { server, client };
      },
    });
  });
}
