import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { RedisTwin } from './redis-twin.js';
import { ALGORITHMS, replay } from './replay.js';

// A random seed, in addition to the fixed ones.
const seeds = [...Array.from({ length: 12 }, (_, index) => index + 1), Math.floor(Math.random() * 2 ** 48)];

describe('Lua, TypeScript and the BigInt model', () => {
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.path);
  });

  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it.each(ALGORITHMS)('agree on every number of %s', async (algorithm) => {
    const twin = new RedisTwin(client);

    const claims = await Promise.all(seeds.map((seed) => replay(twin, [algorithm], seed)));

    expect(Math.min(...claims)).toBeGreaterThan(0);
  });

  it('agree on groups of several algorithms', async () => {
    const twin = new RedisTwin(client);

    const claims = await Promise.all(seeds.map((seed) => replay(twin, ALGORITHMS, seed)));

    expect(Math.min(...claims)).toBeGreaterThan(0);
  });
});
