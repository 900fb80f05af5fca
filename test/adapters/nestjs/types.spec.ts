import {
  byApiKey,
  byIp,
  createLimiter,
  memoryStore,
  RateLimit,
  RateLimitDecision,
  RateLimitModule,
  SkipRateLimit,
  type HttpRequest,
  type NestRequest,
  type RateLimitModuleOptions,
  type RateLimitOptions,
} from '@sluice/nestjs';
import type { Request } from 'express';
import type { FastifyRequest } from 'fastify';

// The compiler reads this file in `npm run lint`: where it refuses what it is told to refuse, the package does too.

const minute = { limit: 10, window: '1m' } as const;
const limiter = createLimiter<HttpRequest>({ ...minute, key: byIp() });

describe('The options of a decorator', () => {
  it.each<[string, RateLimitOptions]>([
    ['a tier', minute],
    ['a tier for after authentication', { ...minute, at: 'authenticated', key: byApiKey() }],
    ['a tier instead of those above', { ...minute, override: true }],
    ['a tier with a function', { ...minute, key: ({ headers }) => String(headers?.['x-tenant']) }],
    ['tiers', { tiers: [{ ...minute, name: 'minute', cost: 2 }] }],
    ['plans', { tiers: ({ user }) => (user ? [{ ...minute, name: 'plan' }] : []) }],
    ['a limiter', { limiter, cost: 5 }],
    ['a store', { ...minute, store: memoryStore(), prefix: 'own', secret: 'a secret' }],
    ['what becomes of it without its store', { ...minute, onStoreFailure: 'deny', share: 1 / 3 }],
    [
      'what becomes of tiers without their store',
      { tiers: [{ ...minute, name: 'minute', onStoreFailure: 'deny' }], onStoreFailure: 'allow' },
    ],
    [
      'what a gate does',
      { ...minute, headers: ['draft-11'], body: 'slow down', skip: () => false, refundWhen: (status) => status > 399 },
    ],
  ])('are %s', (_what, options) => {
    expect(RateLimit(options)).toBeInstanceOf(Function);
  });

  it('take the requests of a platform, which a function names', () => {
    RateLimit({ ...minute, key: (request: Request) => request.get('x-tenant') ?? 'none' });
    RateLimit({ ...minute, key: (request: FastifyRequest) => request.hostname });
    RateLimit<Request>({ tiers: [{ ...minute, name: 'host', key: ({ hostname }) => hostname }] });
    RateLimitModule.forRoot({ ...minute, skip: (request: Request) => request.path === '/health' });

    expect(RateLimit({ ...minute, key: (request) => (request satisfies NestRequest).url ?? '' })).toBeDefined();
  });

  it('refuse what is not theirs', () => {
    // @ts-expect-error a guard is at the entry or behind authentication
    RateLimit({ ...minute, at: 'exit' });
    // @ts-expect-error a denial is an exception
    RateLimit({ ...minute, onDenied: () => {} });
    // @ts-expect-error a limiter has its tiers
    RateLimit({ limiter, ...minute });
    // @ts-expect-error nothing else can become of it
    RateLimit({ ...minute, onStoreFailure: 'open' });
    // @ts-expect-error a window has a unit
    RateLimit({ limit: 10, window: 'soon' });
    // @ts-expect-error names are texts
    SkipRateLimit(5);
    // @ts-expect-error it takes nothing
    RateLimitDecision('tier');

    expect(RateLimit).toHaveLength(1);
  });
});

describe('The options of the module', () => {
  it.each<[string, RateLimitModuleOptions]>([
    ['nothing', {}],
    [
      'what limits inherit',
      {
        store: memoryStore(),
        prefix: 'zoo',
        secret: 'a secret',
        onStoreFailure: 'local',
        share: 0.5,
        headers: [],
        body: 'slow down',
      },
    ],
    ['a tier', minute],
    ['tiers for both guards', { tiers: [minute], authenticated: { ...minute, key: byApiKey() } }],
    ['a limiter', { limiter }],
  ])('are %s', (_what, options) => {
    expect(RateLimitModule.forRoot(options)).toMatchObject({ global: true });
  });

  it('come of a factory, whatever it is given', () => {
    const useFactory = async (limit: number, url: string): Promise<RateLimitModuleOptions> => ({
      limit,
      window: '1m',
      prefix: url,
    });

    expect(RateLimitModule.forRootAsync({ inject: ['limit', 'url'], useFactory })).toHaveProperty('module');
    // @ts-expect-error a factory returns options
    RateLimitModule.forRootAsync({ useFactory: () => 5 });
    // @ts-expect-error there is no such option
    RateLimitModule.forRoot({ ...minute, ttl: 5 });
    // @ts-expect-error and none of limiters for those who share one
    RateLimitModule.forRoot({ limiter, store: memoryStore() });
  });
});
