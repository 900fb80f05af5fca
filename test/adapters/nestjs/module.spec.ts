import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  byIp,
  createLimiter,
  memoryStore,
  RATE_LIMITER,
  RateLimit,
  RateLimitModule,
  type HttpRequest,
  type Limiter,
} from '@sluice/nestjs';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';

import { startRedis } from '../../support/redis.js';
import { applicationsOn, catsWith, entryGuard, moduleOf, platforms } from './application.js';

const ONCE = { limit: 1, window: '1h' } as const;
const Cats = catsWith();

describe.each(platforms)('RateLimitModule on $name', (platform) => {
  const { open, start } = applicationsOn(platform);

  it('limits all handlers by address, without a key and a store', async () => {
    const { statuses } = await start({ limit: 2, window: '1h' }, Cats);

    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('limits nothing without limits', async () => {
    const { send } = await start({}, Cats);

    const { status, headers } = await send();

    expect(status).toBe(200);
    expect(headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('takes options from an async factory with injected providers', async () => {
    const LIMIT = Symbol('limit');
    const settings = moduleOf({ providers: [{ provide: LIMIT, useValue: 1 }], exports: [LIMIT] });
    const module = RateLimitModule.forRootAsync({
      imports: [settings],
      inject: [LIMIT],
      useFactory: async (limit: number) => ({ limit, window: '1h' }),
    });
    const { statuses } = await open({ imports: [module], controllers: [Cats], providers: [entryGuard] });

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('leaves a limiter of the application open when it closes', async () => {
    const limiter = createLimiter<HttpRequest>({ name: 'all', key: byIp(), ...ONCE });
    const { app, send } = await start({ limiter }, Cats);

    await send();
    await app.close();

    expect(await limiter.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: true });
    await limiter.close();
  });

  it('closes its own store with the application, and no other store', async () => {
    const store = memoryStore();
    const own = await start(ONCE, Cats);
    const other = await start({ store, tiers: [{ name: 'all', ...ONCE }] }, Cats);
    const ownLimiter = own.app.get<Limiter<HttpRequest>>(RATE_LIMITER);
    const otherLimiter = other.app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    await Promise.all([own.send(), other.send()]);
    await Promise.all([own.app.close(), other.app.close()]);

    await expect(ownLimiter.consume({ ip: '203.0.113.7' })).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await otherLimiter.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: true });
  });
});

describe('RateLimitModule', () => {
  const { open } = applicationsOn(platforms[0]);

  it('can be imported by two modules as one object, but not with two options', async () => {
    const one = RateLimitModule.forRoot(ONCE);
    const other = RateLimitModule.forRoot();
    const start = (feature: typeof one) =>
      open({ imports: [one, moduleOf({ imports: [feature] })], providers: [entryGuard] });

    await expect(start(one)).resolves.toBeDefined();
    await expect(start(other)).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'RateLimitModule: must be imported once, in the root module, got 2 imports with different options',
    });
  });

  const contextOf = (module: new () => object) => NestFactory.createApplicationContext(module, { logger: false });
  it.each([
    ['an application context', () => contextOf(moduleOf({ imports: [RateLimitModule.forRoot(ONCE)] }))],
    [
      'a testing module',
      async () => (await Test.createTestingModule({ imports: [RateLimitModule.forRoot(ONCE)] }).compile()).init(),
    ],
  ])('provides the limiter in %s, without HTTP', async (_what, start) => {
    const app = await start();
    const limiter = app.get<Limiter<HttpRequest>>(RATE_LIMITER);

    expect(await limiter.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: true });
    expect(await limiter.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: false });
    await app.close();
  });
});

describe.each(platforms)('RateLimitModule with Redis on $name', (platform) => {
  const { open } = applicationsOn(platform);

  it('stores keys by prefix and tier, calls the store once, and leaves keys and client when it closes', async () => {
    const server = await startRedis();
    const client = new Redis(server.url);
    const store = redisStore(client, { deadline: '5s' });
    const tiers = [{ name: 'all', limit: 4, window: '1h' }] as const;
    const module = RateLimitModule.forRootAsync({
      useFactory: () => ({ store, prefix: 'zoo', secret: 'a secret', tiers }),
    });
    const controllers = [catsWith(RateLimit({ limit: 3, window: '1h' }))];
    const { app, send } = await open({ imports: [module], controllers, providers: [entryGuard] });

    await send();
    await app.close();

    const keys = (await client.keys('*')).map((key) => key.replace(/\{.+\}/, '{}'));
    const stats = await client.info('commandstats');
    client.disconnect();
    await server.stop();
    expect(keys.toSorted()).toEqual([
      expect.stringMatching(/^zoo:\{\}:GET \/:\w+/) as string,
      expect.stringMatching(/^zoo:\{\}:all:\w+/) as string,
    ]);
    // The other one asks which keys Redis evicts.
    expect(stats).toMatch(/cmdstat_eval:calls=2,/);
    expect(stats).not.toContain('cmdstat_evalsha');
  });
});
