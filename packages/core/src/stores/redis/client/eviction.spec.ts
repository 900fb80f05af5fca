import { Redis } from 'ioredis';
import { patient } from '../../../testing/internal/patient.js';
import { claim } from '../../../testing/internal/claim.js';
import { startRedis, type RedisServer } from '../../../../../../test/support/redis.js';

let emitWarning: jest.SpyInstance;
let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(() => {
  // A warning is given once a process, and each test is one.
  jest.resetModules();
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

async function configure(settings: Readonly<Record<string, string>>): Promise<void> {
  const client = new Redis(server.port);
  for (const [name, value] of Object.entries(settings)) await client.config('SET', name, value);
  client.disconnect();
}

/** The warnings of a store that was asked twice, and has had time to look. */
async function warnings(url = server.url): Promise<[text: string, code: string][]> {
  const { redisStore } = await import('../redis-store.js');
  const store = redisStore({ url }, patient);
  await store.consume([claim()]);
  // What is asked now is answered after what was asked by the way.
  await store.consume([claim()]);
  await store.close();
  return emitWarning.mock.calls.map(([text, { code }]: [string, { code: string }]) => [text, code]);
}

describe('a server that makes room by forgetting keys', () => {
  it.each(['allkeys-lru', 'allkeys-random', 'volatile-lru', 'volatile-ttl'])('is warned of: %s', async (policy) => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': policy });

    const told = await warnings();

    expect(told).toEqual([[expect.stringContaining(`maxmemory-policy ${policy}`), 'SLUICE_REDIS_EVICTION']]);
  });

  it('is warned of by whoever asks it first, of each client', async () => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' });

    await warnings();
    jest.resetModules();

    expect(await warnings()).toHaveLength(2);
  });
});

describe('a server that forgets nothing', () => {
  it.each([
    ['because it would rather refuse', { maxmemory: '100mb', 'maxmemory-policy': 'noeviction' }],
    ['because it has all the memory there is', { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' }],
  ])('is not warned of, %s', async (_why, settings) => {
    await configure(settings);

    expect(await warnings()).toEqual([]);
  });
});

describe('a server that does not let us look', () => {
  it('is limited with in silence', async () => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' });
    const client = new Redis(server.port);
    await client.acl('SETUSER', 'limiter', 'on', '>pass', '~rl:*', '+@all', '-info');
    client.disconnect();

    expect(await warnings(server.url.replace('//', '//limiter:pass@'))).toEqual([]);
  });
});
