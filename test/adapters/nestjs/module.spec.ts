import { Controller, Get } from '@nestjs/common';
import {
  createLimiter,
  memoryStore,
  RATE_LIMITER,
  RateLimitModule,
  type HttpRequest,
  type Limiter,
  type RateLimitModuleOptions,
} from '@sluice/nestjs';

import { applicationOpener, moduleOf, platforms } from './applications.js';
import { atEntry } from './guards.js';

@Controller()
class Home {
  @Get()
  home(): string {
    return 'home';
  }
}

describe.each(platforms)('RateLimitModule in $name', (platform) => {
  const open = applicationOpener(platform);

  it('limits all handlers, by address, with one tier in short form', async () => {
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot({ limit: 2, window: '1h' })],
      controllers: [Home],
      providers: [atEntry],
    });

    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('limits with several tiers, which are decided together', async () => {
    const tiers = [
      { name: 'hour', limit: 10, window: '1h' },
      { name: 'minute', limit: 1, window: '1m' },
    ] as const;
    const { ask } = await open({
      imports: [RateLimitModule.forRoot({ tiers, headers: ['draft-11'] })],
      controllers: [Home],
      providers: [atEntry],
    });

    await ask();
    const denied = await ask();

    expect(denied.status).toBe(429);
    expect(denied.headers.get('ratelimit')).toMatch(/^"hour";r=9;.*"minute";r=0;/);
  });

  it('limits with plans', async () => {
    const plans = {
      free: [{ name: 'plan', limit: 1, window: '1h' }],
      pro: [{ name: 'plan', limit: 2, window: '1h' }],
    } as const;
    const options: RateLimitModuleOptions = {
      tiers: ({ headers }) => plans[headers?.['x-plan'] === 'pro' ? 'pro' : 'free'],
    };
    @Controller('other')
    class Other extends Home {}
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot(options)],
      controllers: [Home, Other],
      providers: [atEntry],
    });

    expect(await statuses(2)).toEqual([200, 429]);
    expect(await statuses(2, '/other', { headers: { 'x-plan': 'pro' } })).toEqual([200, 429]);
  });

  it('limits with a limiter that is shared', async () => {
    const limiter = createLimiter<HttpRequest>({ limit: 2, window: '1h', key: () => 'everybody' });
    const { statuses } = await open({
      imports: [RateLimitModule.forRoot({ limiter })],
      controllers: [Home],
      providers: [atEntry],
    });

    await limiter.consume({});

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('takes options from a factory, with what is injected into it', async () => {
    const LIMIT = Symbol('limit');
    const settings = moduleOf({ providers: [{ provide: LIMIT, useValue: 1 }], exports: [LIMIT] });
    const { statuses } = await open({
      imports: [
        RateLimitModule.forRootAsync({
          imports: [settings],
          inject: [LIMIT],
          useFactory: async (limit: number) => ({ limit, window: '1h' }),
        }),
      ],
      controllers: [Home],
      providers: [atEntry],
    });

    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('keeps skip, cost and refundWhen', async () => {
    const { statuses } = await open({
      imports: [
        RateLimitModule.forRoot({
          limit: 4,
          window: '1h',
          cost: 2,
          skip: ({ headers }) => headers?.['x-skip'] !== undefined,
          refundWhen: (status) => status === 404,
        }),
      ],
      controllers: [Home],
      providers: [atEntry],
    });

    expect(await statuses(3, '/', { headers: { 'x-skip': '1' } })).toEqual([200, 200, 200]);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('limits nothing without limits of its own', async () => {
    const { ask } = await open({ imports: [RateLimitModule.forRoot()], controllers: [Home], providers: [atEntry] });

    const { status, headers } = await ask();

    expect(status).toBe(200);
    expect(headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('stops the start for a mistake, and names the option', async () => {
    const start = (options: object) =>
      open({ imports: [RateLimitModule.forRoot(options)], controllers: [Home], providers: [atEntry] });

    await expect(start({ max: 5, window: '1h' })).rejects.toThrow(
      'RateLimitModule: tier "default" (sliding-window): max is called limit here',
    );
    await expect(start({ limit: 5, window: '1h', store: memoryStore() })).rejects.toThrow(
      'RateLimitModule: tier: name must be given',
    );
    await expect(start({ limit: 5, window: '1h', onDenied: () => {} })).rejects.toThrow(
      'onDenied is not an option in Nest: catch RateLimitException in an exception filter',
    );
  });

  it('closes the store that it made, and no other', async () => {
    const store = memoryStore();
    const own = await open({
      imports: [RateLimitModule.forRoot({ limit: 1, window: '1h' })],
      controllers: [Home],
      providers: [atEntry],
    });
    const other = await open({
      imports: [RateLimitModule.forRoot({ store, tiers: [{ name: 'all', limit: 1, window: '1h' }] })],
      controllers: [Home],
      providers: [atEntry],
    });

    const ofOwn = own.app.get<Limiter<HttpRequest>>(RATE_LIMITER);
    const ofOther = other.app.get<Limiter<HttpRequest>>(RATE_LIMITER);
    await own.ask();
    await other.ask();

    await own.app.close();
    await other.app.close();

    await expect(ofOwn.consume({ ip: '203.0.113.7' })).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await ofOther.consume({ ip: '203.0.113.7' })).toMatchObject({ allowed: true });
  });
});
