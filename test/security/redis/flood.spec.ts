import { setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { flood } from './flood.js';

describe('a flood of identities in Redis', () => {
  let server: RedisServer;
  let admin: Redis;
  let store: Store;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.path);
  });

  beforeEach(() => {
    store = redisStore({ url: server.url }, { deadline: '5s' });
  });

  afterEach(async () => {
    await store.close();
    await admin.flushall();
    await admin.config('RESETSTAT');
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  it.each([
    ['sliding-window', { limit: 100, window: '1h' }],
    ['fixed-window', { algorithm: 'fixed-window', limit: 100, window: '1h' }],
    ['token-bucket', { algorithm: 'token-bucket', limit: 60, window: '1h' }],
  ] as const)('takes one key and less than 200 bytes each by %s', async (_, policy) => {
    const { keys, bytes } = await flood(store, admin, policy, 2_000);

    expect(keys).toBe(2_000);
    expect(bytes / keys).toBeLessThan(200);
  });

  it.each([
    ['sliding-window', { limit: 100, window: 300 }],
    ['fixed-window', { algorithm: 'fixed-window', limit: 100, window: 300 }],
    ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 100, window: 300 }],
    ['token-bucket', { algorithm: 'token-bucket', limit: 60, window: 300 }],
    ['leaky-bucket', { algorithm: 'leaky-bucket', limit: 60, window: 300, queue: 9 }],
    [
      'multi-window',
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 100, window: 300 },
          { limit: 10, window: 100 },
        ],
      },
    ],
  ] as const)('expires after its window by %s', async (_, policy) => {
    await flood(store, admin, policy, 500);

    // Redis removes expired keys gradually.
    while ((await admin.dbsize()) > 0) await turn();
    const expired = /expired_keys:(\d+)/.exec(await admin.info('stats'))![1];

    expect(Number(expired)).toBeGreaterThanOrEqual(500);
  });
});
