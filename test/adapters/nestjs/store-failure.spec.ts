import { Controller, Get, Post } from '@nestjs/common';
import { balance } from '@sluice/quotas';
import {
  memoryStore,
  RateLimit,
  RateLimitModule,
  type RateLimitModuleOptions,
  type RateLimitOptions,
  type Store,
} from '@sluice/nestjs';
import { redisStore } from '@sluice/redis';

import { closedPort } from '../../support/listener.js';
import { applicationsOn, authenticatedGuard, entryGuard, platforms } from './application.js';

const HOUR = { limit: 6, window: '1h' } as const;
const ALL = { ...HOUR, name: 'all' } as const;
const TRIES = { ...HOUR, name: 'tries' } as const;
const plan = () => [{ ...HOUR, name: 'plan' }];

/** The common suite of adapters tests outages; here is how limits inherit `onStoreFailure` and `share` on any platform. */
describe('onStoreFailure without Redis', () => {
  const { open } = applicationsOn(platforms[0]);
  let deadStore: Store;

  beforeEach(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    deadStore = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` }, { connectDeadline: 50 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await deadStore.close();
  });

  /** An application with `POST /login`, which has a limit, and `GET /`, which has none of its own. */
  const start = (options: RateLimitModuleOptions, login: RateLimitOptions) => {
    @Controller()
    class Home {
      @Get()
      home(): void {}

      @Post('login')
      @RateLimit(login)
      login(): void {}
    }
    return open({
      imports: [RateLimitModule.forRoot({ store: deadStore, ...options })],
      controllers: [Home],
      providers: [entryGuard, authenticatedGuard],
    });
  };
  const POST = { method: 'POST' };

  it.each<[string, RateLimitOptions]>([
    ['short options', { ...HOUR, onStoreFailure: 'deny' }],
    ['tiers', { tiers: [TRIES], onStoreFailure: 'deny' }],
    ['one tier', { tiers: [{ ...TRIES, onStoreFailure: 'deny' }] }],
    ['one tier, against its limiter', { tiers: [{ ...TRIES, onStoreFailure: 'deny' }], onStoreFailure: 'allow' }],
    ['a plan', { tiers: plan, onStoreFailure: 'deny' }],
    ['a limit that is decided separately', { ...HOUR, refundWhen: () => false, onStoreFailure: 'deny' }],
    ['a limit at "authenticated"', { ...HOUR, at: 'authenticated', onStoreFailure: 'deny' }],
  ])('denies only at the handler if %s say so', async (_form, login) => {
    const { send } = await start({ share: 1 / 3, onStoreFailure: 'local', tiers: [ALL] }, login);

    const denied = await send('/login', POST);
    const other = await send();

    expect([denied.status, denied.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect([other.status, other.headers.get('x-ratelimit-limit')]).toEqual([200, '2']);
  });

  it('charges no tier if one of the tiers that are decided together denies', async () => {
    const { send, statuses } = await start({ tiers: [ALL] }, { ...HOUR, onStoreFailure: 'deny' });

    expect(await statuses(3, '/login', POST)).toEqual([503, 503, 503]);
    expect((await send()).headers.get('x-ratelimit-remaining')).toBe('5');
  });

  it.each<[number, string, RateLimitOptions]>([
    [503, 'short options inherit it', HOUR],
    [503, 'tiers inherit it', { tiers: [TRIES] }],
    [503, 'a plan inherits it', { tiers: plan }],
    [201, 'short options replace it', { ...HOUR, onStoreFailure: 'allow' }],
    [201, 'tiers replace it', { tiers: [TRIES], onStoreFailure: 'local' }],
    [201, 'another store works', { ...HOUR, store: memoryStore() }],
  ])('answers %d under a module that denies if %s', async (status, _why, login) => {
    const { send } = await start({ onStoreFailure: 'deny' }, login);

    expect((await send('/login', POST)).status).toBe(status);
  });

  it('takes `local` of a module with a balance, of which no process has a copy', async () => {
    const credits = { name: 'credits', algorithm: balance({ covers: ['all'] }) } as const;
    const { send } = await start({ onStoreFailure: 'local', tiers: [ALL, credits] }, HOUR);

    expect((await send()).status).toBe(200);
  });

  it('allows decorated limits the share of the module', async () => {
    const { send } = await start({ share: 1 / 3 }, HOUR);

    expect((await send('/login', POST)).headers.get('x-ratelimit-limit')).toBe('2');
  });
});
