import { Controller, Get, Post } from '@nestjs/common';
import {
  memoryStore,
  RateLimit,
  RateLimitModule,
  redisStore,
  type RateLimitModuleOptions,
  type RateLimitOptions,
  type Store,
} from '@sluice/nestjs';
import { Redis } from 'ioredis';

import { closedPort } from '../../../packages/core/src/testing/internal/listener.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { applicationOpener, platforms } from './applications.js';
import { authenticated, atEntry } from './guards.js';

const hour = { limit: 6, window: '1h' } as const;
const all = { ...hour, name: 'all' } as const;

describe.each(platforms)('without its store an application of $name', (platform) => {
  const open = applicationOpener(platform);
  let dead: Store;

  beforeEach(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    dead = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dead.close();
  });

  /** An application with a login that has a limit, and a home that has none of its own. */
  const start = (options: RateLimitModuleOptions, login: RateLimitOptions) => {
    @Controller()
    class Home {
      @Get()
      home(): string {
        return 'home';
      }

      @Post('login')
      @RateLimit(login)
      login(): string {
        return 'welcome';
      }
    }
    return open({
      imports: [RateLimitModule.forRoot(options)],
      controllers: [Home],
      providers: [atEntry, authenticated],
    });
  };

  it.each<[string, RateLimitOptions]>([
    ['in short', { ...hour, onStoreFailure: 'deny' }],
    ['in tiers', { tiers: [{ ...hour, name: 'tries' }], onStoreFailure: 'deny' }],
    ['of a tier', { tiers: [{ ...hour, name: 'tries', onStoreFailure: 'deny' }] }],
    [
      'of a tier against its level',
      { tiers: [{ ...hour, name: 'tries', onStoreFailure: 'deny' }], onStoreFailure: 'allow' },
    ],
    ['of a plan', { tiers: () => plan, onStoreFailure: 'deny' }],
    ['of a gate of its own', { ...hour, refundWhen: (status) => status < 400, onStoreFailure: 'deny' }],
    ['after authentication', { ...hour, at: 'authenticated', onStoreFailure: 'deny' }],
  ])('denies at a handler that says so, %s, and goes on limiting at others', async (_form, login) => {
    const { ask } = await start({ store: dead, share: 1 / 3, onStoreFailure: 'local', tiers: [all] }, login);

    const denied = await ask('/login', { method: 'POST' });
    const other = await ask();

    expect([denied.status, denied.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect([other.status, other.headers.get('x-ratelimit-limit')]).toEqual([200, '2']);
  });

  const plan = [{ ...hour, name: 'plan' }];

  it('charges nothing where one of the tiers that are decided together denies', async () => {
    const options: RateLimitModuleOptions = { store: dead, tiers: [all] };
    const { ask, statuses } = await start(options, { ...hour, onStoreFailure: 'deny' });

    const denied = await statuses(3, '/login', { method: 'POST' });
    const other = await ask();

    expect(denied).toEqual([503, 503, 503]);
    expect(other.headers.get('x-ratelimit-remaining')).toBe('5');
  });

  it.each<[number, RateLimitOptions]>([
    [503, hour],
    [503, { tiers: [{ ...hour, name: 'tries' }] }],
    [503, { tiers: () => plan }],
    [201, { ...hour, onStoreFailure: 'allow' }],
    [201, { tiers: [{ ...hour, name: 'tries' }], onStoreFailure: 'local' }],
  ])('answers %d by what its module says, and its handler says first: %j', async (status, login) => {
    const { ask } = await start({ store: dead, onStoreFailure: 'deny' }, login);

    expect((await ask('/login', { method: 'POST' })).status).toBe(status);
  });

  it('has its share at limits that are decorated too', async () => {
    const { ask } = await start({ store: dead, share: 1 / 3 }, hour);

    expect((await ask('/login', { method: 'POST' })).headers.get('x-ratelimit-limit')).toBe('2');
  });

  it('leaves limiters that were made elsewhere what they say', async () => {
    const memory = memoryStore();
    const { ask } = await start({ store: dead, onStoreFailure: 'deny' }, { ...hour, store: memory });

    expect((await ask('/login', { method: 'POST' })).status).toBe(201);
  });

  it.each<[string, RateLimitModuleOptions, RateLimitOptions, string]>([
    [
      'onStoreFailure',
      {},
      { ...hour, onStoreFailure: 'ask' as 'deny' },
      'Home.login: tier "POST /login" (sliding-window): onStoreFailure must be one of "local", "allow", "deny", got "ask"',
    ],
    ['onStoreFailure', { ...hour, onStoreFailure: 'ask' as 'deny' }, hour, 'RateLimitModule: '],
    ['share', {}, { ...hour, share: 2 }, 'Home.login: limiter: share must be a number above 0 and at most 1'],
    ['share', { tiers: [all], share: 0 }, hour, 'RateLimitModule: limiter: share must be a number above 0'],
    ['tiers', {}, { tiers: [null as never], onStoreFailure: 'deny' }, 'tiers must hold objects, got null'],
  ])('does not start with a mistake in %s', async (_option, options, login, message) => {
    await expect(start(options, login)).rejects.toThrow(message);
  });
});

describe('a tier that denies without Redis', () => {
  const [platform] = platforms;
  const open = applicationOpener(platform!);
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('is decided together with those that do not, in one call', async () => {
    @Controller()
    class Home {
      @Get()
      @RateLimit({ ...hour, onStoreFailure: 'deny' })
      home(): string {
        return 'home';
      }
    }
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot({ store: redisStore(client, { deadline: '5s' }), tiers: [all] })],
      controllers: [Home],
      providers: [atEntry],
    });
    await statuses(1);
    await client.config('RESETSTAT');

    await statuses(3);

    const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1];
    expect(calls).toBe('3');
  });
});
