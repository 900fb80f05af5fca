import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../../../../test/support/redis.js';
import { claim } from '../../../../test/support/claim.js';
import { patient } from '../../../../test/support/patient.js';
import { freshModules } from '../../../../test/support/fresh-modules.js';

let emitWarning: jest.SpyInstance;
let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

beforeEach(() => {
  // The process emits a warning once; each spec has modules of its own.
  freshModules();
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

/** The warnings of a new store after two checks. Redis replies to the second one after the check of its settings. */
async function warnings(url = server.url): Promise<[text: string, code: string][]> {
  const { redisStore } = await import('../redis-store.js');
  const store = redisStore({ url }, patient);
  await store.consume([claim()]);
  await store.consume([claim()]);
  await store.close();
  return emitWarning.mock.calls.map(([text, { code }]: [string, { code: string }]) => [text, code]);
}

describe('EvictionCheck', () => {
  it.each(['allkeys-lru', 'allkeys-random', 'volatile-lru', 'volatile-ttl'])('warns of %s', async (policy) => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': policy });

    expect(await warnings()).toEqual([
      [expect.stringContaining(`maxmemory-policy ${policy}`), 'SLUICE_REDIS_EVICTION'],
    ]);
  });

  it('checks the server of each client', async () => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' });

    await warnings();
    freshModules();

    expect(await warnings()).toHaveLength(2);
  });

  it.each([
    ['noeviction', { maxmemory: '100mb', 'maxmemory-policy': 'noeviction' }],
    ['unlimited memory', { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' }],
  ])('does not warn of %s', async (_what, settings) => {
    await configure(settings);

    expect(await warnings()).toEqual([]);
  });

  it('does not warn if the user has no right to INFO', async () => {
    await configure({ maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' });
    const client = new Redis(server.port);
    await client.acl('SETUSER', 'limiter', 'on', '>pass', '~rl:*', '+@all', '-info');
    client.disconnect();

    expect(await warnings(server.url.replace('//', '//limiter:pass@'))).toEqual([]);
  });
});
