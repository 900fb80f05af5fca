import { Controller, Get, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  AuthenticatedRateLimitGuard,
  by,
  createLimiter,
  RateLimit,
  RateLimitGuard,
  RateLimitModule,
  SkipRateLimit,
  type NestRequest,
} from '@sluice/nestjs';

import { applicationOpener, platforms } from './applications.js';
import { atEntry, authenticated, byName, from, NameGuard } from './guards.js';

const byUser = by<NestRequest>('user', ({ user }) => (user as { id: string }).id);

@Controller()
class Home {
  @Get()
  home(): string {
    return 'home';
  }
}

@Controller('guarded')
@UseGuards(RateLimitGuard)
class Guarded {
  @Get()
  guarded(): string {
    return 'guarded';
  }
}

describe.each(platforms)('guards in $name', (platform) => {
  const open = applicationOpener(platform);
  const hourly = RateLimitModule.forRoot({ limit: 1, window: '1h' });

  it('limit the controllers that use them', async () => {
    const { statuses } = await open({ imports: [hourly], controllers: [Home, Guarded] });

    expect(await statuses(2, '/guarded')).toEqual([200, 429]);
    expect(await statuses(2, '/')).toEqual([200, 200]);
  });

  it('limit the handlers that use them', async () => {
    @Controller()
    class Some {
      @Get('one')
      @UseGuards(RateLimitGuard)
      one(): string {
        return 'one';
      }
      @Get('other')
      other(): string {
        return 'other';
      }
    }

    const { statuses } = await open({ imports: [hourly], controllers: [Some] });

    expect(await statuses(2, '/one')).toEqual([200, 429]);
    expect(await statuses(2, '/other')).toEqual([200, 200]);
  });

  it('limit all handlers together', async () => {
    const { ask } = await open({ imports: [hourly], controllers: [Home, Guarded], providers: [atEntry] });

    await ask('/');

    expect((await ask('/guarded')).status).toBe(429);
  });

  it('count once where they stand twice', async () => {
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ limit: 9, window: '1h' })],
      controllers: [Guarded],
      providers: [atEntry, atEntry],
    });

    const { headers } = await ask('/guarded');

    expect(headers.get('x-ratelimit-remaining')).toBe('8');
  });

  it('have one limiter count twice where it stands in two limits, at the cost of each', async () => {
    const limiter = createLimiter<NestRequest>({ limit: 9, window: '1h', key: () => 'all' });
    @Controller()
    class Dear {
      @Get()
      @RateLimit({ limiter, at: 'authenticated', cost: 5 })
      dear(): string {
        return 'dear';
      }
    }
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ limiter })],
      controllers: [Dear],
      providers: [atEntry, authenticated],
    });

    expect((await ask()).headers.get('x-ratelimit-remaining')).toBe('3');
  });

  it.each([
    ['useExisting', { provide: APP_GUARD, useExisting: RateLimitGuard }],
    ['useClass', { provide: APP_GUARD, useClass: RateLimitGuard }],
  ])('are provided by %s', async (_name, guard) => {
    const { statuses } = await open({ imports: [hourly], controllers: [Home], providers: [guard] });

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('are given to app.useGlobalGuards', async () => {
    const { statuses } = await open({ imports: [hourly], controllers: [Home] }, (app) =>
      app.useGlobalGuards(app.get(RateLimitGuard)),
    );

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('may be extended', async () => {
    class Own extends RateLimitGuard {}
    const guard = { provide: APP_GUARD, useClass: Own };

    const { statuses } = await open({ imports: [hourly], controllers: [Home], providers: [guard] });

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('stand before and behind authentication, by address and by user', async () => {
    @Controller()
    class Both {
      @Get()
      @RateLimit({ limit: 4, window: '1h' })
      @RateLimit({ at: 'authenticated', limit: 1, window: '1h', key: byUser })
      both(): string {
        return 'both';
      }
    }
    const { ask, statuses } = await open({
      imports: [RateLimitModule.forRoot()],
      controllers: [Both],
      providers: [atEntry, byName, authenticated],
    });

    expect(await statuses(2, '/', from('ada'))).toEqual([200, 429]);
    expect(await statuses(1, '/', from('bob'))).toEqual([200]);
    expect((await ask('/')).status).toBe(403);
    const denied = await ask('/', from('eve'));

    expect(denied.status).toBe(429);
    expect(JSON.parse(denied.text)).toMatchObject({ 'violated-policies': ['GET /'] });
  });

  it('have limits for all handlers behind authentication', async () => {
    const { statuses } = await open({
      imports: [
        RateLimitModule.forRoot({ limit: 9, window: '1h', authenticated: { limit: 1, window: '1h', key: byUser } }),
      ],
      controllers: [Home],
      providers: [atEntry, byName, authenticated],
    });

    expect(await statuses(2, '/', from('ada'))).toEqual([200, 429]);
    expect(await statuses(2, '/', from('bob'))).toEqual([200, 429]);
  });

  it('tell both limits on one response', async () => {
    const { ask } = await open({
      imports: [
        RateLimitModule.forRoot({
          tiers: [{ name: 'ip', limit: 9, window: '1h' }],
          headers: ['draft-11', 'x-ratelimit'],
          authenticated: { name: 'user', limit: 3, window: '1h', key: byUser },
        }),
      ],
      controllers: [Home],
      providers: [atEntry, byName, authenticated],
    });

    const { headers } = await ask('/', from('ada'));

    expect(headers.get('ratelimit')).toMatch(/^"ip";r=8;t=\d+, "user";r=2;t=\d+$/);
    expect(headers.get('x-ratelimit-remaining')).toBe('2');
  });

  it('that an application never uses stop its start, where a handler has limits for them', async () => {
    @Controller()
    class Later {
      @Get()
      @RateLimit({ at: 'authenticated', limit: 1, window: '1h' })
      home(): string {
        return 'home';
      }
    }

    const started = open({ imports: [RateLimitModule.forRoot()], controllers: [Later], providers: [atEntry] });

    await expect(started).rejects.toThrow(
      'Later.home: no AuthenticatedRateLimitGuard enforces the limit at "authenticated"',
    );
  });

  it('that an application never uses stop its start, where the module has limits for them', async () => {
    const authenticatedOnly = RateLimitModule.forRoot({ authenticated: { limit: 1, window: '1h' } });

    const forgotten = open({ imports: [hourly], controllers: [Home] });
    const other = open({ imports: [authenticatedOnly], controllers: [Home], providers: [atEntry] });

    await expect(forgotten).rejects.toThrow('RateLimitModule: no RateLimitGuard enforces the limit at "entry"');
    await expect(other).rejects.toThrow(
      'RateLimitModule: no AuthenticatedRateLimitGuard enforces the limit at "authenticated"',
    );
  });

  it('need not be used where all handlers skip', async () => {
    @Controller()
    @SkipRateLimit()
    class Health extends Home {}

    const { statuses } = await open({ imports: [hourly], controllers: [Health] });

    expect(await statuses(2)).toEqual([200, 200]);
  });

  it('can be replaced in tests of the application', async () => {
    const everybody = { canActivate: () => true };
    const testing = await Test.createTestingModule({
      imports: [hourly],
      controllers: [Home],
      providers: [atEntry],
    })
      .overrideProvider(RateLimitGuard)
      .useValue(everybody)
      .compile();
    const app = testing.createNestApplication(platform.adapter());

    await expect(app.init()).resolves.toBe(app);
    await app.close();
  });

  it('work by class beside others', async () => {
    @Controller()
    @UseGuards(RateLimitGuard, NameGuard, AuthenticatedRateLimitGuard)
    @RateLimit({ at: 'authenticated', limit: 1, window: '1h', key: byUser })
    class Private extends Home {}

    const { statuses } = await open({ imports: [RateLimitModule.forRoot()], controllers: [Private] });

    expect(await statuses(2, '/', from('ada'))).toEqual([200, 429]);
    expect(await statuses(2, '/', from('bob'))).toEqual([200, 429]);
  });
});
