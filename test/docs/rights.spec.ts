import { Redis } from 'ioredis';
import { createLimiter, redisStore, type Store, type Tier } from '../../packages/core/src/index.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { page } from './pages.js';

const { text } = page('docs/guide/redis.md');

describe('The page about Redis', () => {
  let server: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.port);
  });

  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  it('names the rights that a user needs', async () => {
    const [, rights = ''] = /^ACL SETUSER (.+)$/m.exec(text) ?? [];
    await admin.call('ACL', 'SETUSER', ...rights.split(' '));
    const store = redisStore({ url: `redis://limiter:password@127.0.0.1:${server.port}` });

    const done = await everything(store);
    await store.close();

    expect(done).toEqual({ given: everyTier.length - 1, recorded: ['a text', 'a text'] });
  });

  it('shows a key as it is', async () => {
    const [, key] = /^(rl:\{.+)$/m.exec(text) ?? [];
    const store = redisStore({ url: server.url });
    const [tier] = everyTier;

    await createLimiter({ store, tiers: [tier!] }).consume({});
    await store.close();

    expect(await admin.keys('rl:*')).toContain(key);
  });
});

const key = () => '203.0.113.7';

const everyTier: readonly Tier<object>[] = [
  { name: 'ip-minute', key, limit: 100, window: '1m', record: () => 'a text' },
  { name: 'strict', key, limit: 100, window: '1m', strict: true },
  { name: 'log', key, algorithm: 'sliding-window-log', limit: 100, window: 1 },
  { name: 'bucket', key, algorithm: 'token-bucket', limit: 60, window: '1m' },
  { name: 'uneven', key, algorithm: 'token-bucket', limit: 7, window: '1m' },
  { name: 'queue', key, algorithm: 'leaky-bucket', limit: 60, window: '1m', queue: 5 },
  { name: 'fixed', key, algorithm: 'fixed-window', limit: 60, window: '1m' },
  { name: 'clock', key, algorithm: 'fixed-window', limit: 60, window: '1h', anchor: 'clock' },
];

/** Makes every kind of call: says how many units a refund gave back, and what was recorded. */
async function everything(store: Store): Promise<{ given: number; recorded: readonly string[] }> {
  const limiter = createLimiter({ store, tiers: everyTier.filter(({ name }) => name !== 'log') });
  const log = createLimiter({ store, tiers: everyTier.filter(({ name }) => name === 'log') });
  // A log of a millisecond, which has something to drop at every request.
  for (let request = 0; request < 20; request += 1) await log.consume({});
  await log.refund(await log.consume({}));
  await limiter.consume({});
  const given = await limiter.refund(await limiter.consume({}));
  const recorded = (await limiter.inspect({})).flatMap((inspection) => inspection.recorded);
  await limiter.reset({});
  return { given, recorded };
}
