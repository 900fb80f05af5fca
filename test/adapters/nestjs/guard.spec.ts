import { Controller, Get, Scope, UseGuards, type ModuleMetadata } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  by,
  createLimiter,
  RateLimit,
  RateLimitGuard,
  RateLimitModule,
  SkipRateLimit,
  type NestRequest,
} from '@sluice/nestjs';

import {
  applicationsOn,
  authenticatedGuard,
  catsWith,
  entryGuard,
  from,
  nameGuard,
  platforms,
  type Application,
} from './application.js';

const ONCE = { limit: 1, window: '1h' } as const;
const byUser = by<NestRequest>('user', ({ user }) => (user as { id: string }).id);
const Cats = catsWith();
const stages = [entryGuard, nameGuard, authenticatedGuard];

describe.each(platforms)('RateLimitGuard on $name', (platform) => {
  const { open, start } = applicationsOn(platform);
  const once = RateLimitModule.forRoot(ONCE);

  it('limits only the controllers and handlers that name it in @UseGuards', async () => {
    @Controller('guarded')
    @UseGuards(RateLimitGuard)
    class Guarded {
      @Get()
      find(): void {}
    }
    @Controller('partly')
    class Partly {
      @Get('guarded')
      @UseGuards(RateLimitGuard)
      guarded(): void {}
      @Get('free')
      free(): void {}
    }
    const { send, statuses } = await open({ imports: [once], controllers: [Guarded, Partly] });

    expect(await statuses(2, '/guarded')).toEqual([200, 429]);
    expect((await send('/partly/guarded')).status).toBe(429);
    expect(await statuses(2, '/partly/free')).toEqual([200, 200]);
  });

  class OwnGuard extends RateLimitGuard {}
  it.each<[string, ModuleMetadata, ((app: Application) => void) | undefined]>([
    ['APP_GUARD with useExisting', { providers: [{ provide: APP_GUARD, useExisting: RateLimitGuard }] }, undefined],
    ['APP_GUARD with useClass', { providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }] }, undefined],
    ['APP_GUARD as a subclass', { providers: [{ provide: APP_GUARD, useClass: OwnGuard }] }, undefined],
    ['a global guard', {}, (app) => app.useGlobalGuards(app.get(RateLimitGuard))],
  ])('limits all handlers as %s', async (_how, metadata, prepare) => {
    const { statuses } = await open({ imports: [once], controllers: [Cats], ...metadata }, prepare);

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('counts a request once if it runs twice', async () => {
    const { send } = await open({
      imports: [RateLimitModule.forRoot({ limit: 9, window: '1h' })],
      controllers: [catsWith(UseGuards(RateLimitGuard))],
      providers: [entryGuard, entryGuard],
    });

    expect((await send()).headers.get('x-ratelimit-remaining')).toBe('8');
  });

  it('charges a limiter twice that two limits share, at the cost of each', async () => {
    const limiter = createLimiter<NestRequest>({ limit: 9, window: '1h', key: () => 'all' });
    const { send } = await open({
      imports: [RateLimitModule.forRoot({ limiter })],
      controllers: [catsWith(RateLimit({ limiter, at: 'authenticated', cost: 5 }))],
      providers: [entryGuard, authenticatedGuard],
    });

    expect((await send()).headers.get('x-ratelimit-remaining')).toBe('3');
  });

  it('is required for limits of the module, unless all handlers skip them', async () => {
    const { statuses } = await open({ imports: [once], controllers: [catsWith(SkipRateLimit())] });

    expect(await statuses(2)).toEqual([200, 200]);
    await expect(open({ imports: [once], controllers: [Cats] })).rejects.toThrow(
      'RateLimitModule: no RateLimitGuard enforces the limit at "entry"',
    );
  });

  it('can be replaced in tests of an application', async () => {
    const testing = await Test.createTestingModule({ imports: [once], controllers: [Cats], providers: [entryGuard] })
      .overrideProvider(RateLimitGuard)
      .useValue({ canActivate: () => true })
      .compile();
    const app = testing.createNestApplication(platform.adapter());

    await expect(app.init()).resolves.toBe(app);
    await app.close();
  });

  it('limits request-scoped controllers, also while requests wait in a queue', async () => {
    @Controller({ scope: Scope.REQUEST })
    class Scoped {
      @Get()
      find(): void {}
    }
    const { send } = await start({ algorithm: 'leaky-bucket', limit: 20, window: '1s', queue: 3 }, Scoped);

    const answers = await Promise.all([send(), send(), send()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe.each(platforms)('AuthenticatedRateLimitGuard on $name', (platform) => {
  const { open, start } = applicationsOn(platform);

  it('enforces limits at "authenticated" after authentication, RateLimitGuard those at "entry" before', async () => {
    const limits = [RateLimit({ limit: 4, window: '1h' }), RateLimit({ at: 'authenticated', ...ONCE, key: byUser })];
    const { send, statuses } = await open({
      imports: [RateLimitModule.forRoot()],
      controllers: [catsWith(...limits)],
      providers: stages,
    });

    expect(await statuses(2, '/', from('ada'))).toEqual([200, 429]);
    expect(await statuses(1, '/', from('bob'))).toEqual([200]);
    expect((await send('/')).status).toBe(403);
    const denied = await send('/', from('eve'));

    expect(denied.status).toBe(429);
    expect(JSON.parse(denied.text)).toMatchObject({ 'violated-policies': ['GET /'] });
  });

  it('enforces the limits of the module under authenticated, and reports them after the others', async () => {
    const { send, statuses } = await open({
      imports: [
        RateLimitModule.forRoot({
          tiers: [{ name: 'ip', limit: 9, window: '1h' }],
          headers: ['draft-11', 'x-ratelimit'],
          authenticated: { name: 'user', limit: 3, window: '1h', key: byUser },
        }),
      ],
      controllers: [Cats],
      providers: stages,
    });

    const { headers } = await send('/', from('ada'));

    expect(headers.get('ratelimit')).toMatch(/^"ip";r=8;t=\d+, "user";r=2;t=\d+$/);
    expect(headers.get('x-ratelimit-remaining')).toBe('2');
    expect(await statuses(3, '/', from('ada'))).toEqual([200, 200, 429]);
    expect(await statuses(1, '/', from('bob'))).toEqual([200]);
  });

  it('is required for limits at "authenticated"', async () => {
    const problem = 'no AuthenticatedRateLimitGuard enforces the limit at "authenticated"';

    const decorated = start({}, catsWith(RateLimit({ at: 'authenticated', ...ONCE })));
    await expect(decorated).rejects.toThrow(`Cats.find: ${problem}`);
    const ofModule = start({ authenticated: ONCE }, Cats);
    await expect(ofModule).rejects.toThrow(`RateLimitModule: ${problem}`);
  });
});
