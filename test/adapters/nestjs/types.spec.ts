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

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const MINUTE = { limit: 10, window: '1m' } as const;
const limiter = createLimiter<HttpRequest>({ ...MINUTE, key: byIp() });

describe('RateLimitOptions', () => {
  it('accepts tiers, plans, limiters and the options of a gate', () => {
    const tier = { ...MINUTE, name: 'minute', onStoreFailure: 'deny' } as const;
    const options: RateLimitOptions[] = [
      MINUTE,
      { ...MINUTE, at: 'authenticated', key: byApiKey() },
      { ...MINUTE, override: true, store: memoryStore(), prefix: 'own', secret: 'a secret', share: 1 / 3 },
      { ...MINUTE, key: ({ headers }) => String(headers?.['x-tenant']) },
      { tiers: [{ ...tier, cost: 2 }], onStoreFailure: 'allow' },
      { tiers: ({ user }) => (user ? [tier] : []) },
      { limiter, cost: 5 },
      { ...MINUTE, headers: ['draft-11'], body: 'slow down', skip: () => false, refundWhen: (status) => status > 399 },
    ];

    expect(options.map((each) => RateLimit(each))).toHaveLength(options.length);
  });

  it('accepts functions of the requests of a platform', () => {
    RateLimit({ ...MINUTE, key: (request: Request) => request.get('x-tenant') ?? 'none' });
    RateLimit({ ...MINUTE, key: (request: FastifyRequest) => request.hostname });
    RateLimit<Request>({ tiers: [{ ...MINUTE, name: 'host', key: ({ hostname }) => hostname }] });
    RateLimitModule.forRoot({ ...MINUTE, skip: (request: Request) => request.path === '/health' });

    expect(RateLimit({ ...MINUTE, key: (request) => (request satisfies NestRequest).url ?? '' })).toBeDefined();
  });

  it('rejects other values', () => {
    // @ts-expect-error there are two stages
    RateLimit({ ...MINUTE, at: 'exit' });
    // @ts-expect-error a denial is an exception
    RateLimit({ ...MINUTE, onDenied: () => {} });
    // @ts-expect-error a limiter has tiers already
    RateLimit({ limiter, ...MINUTE });
    // @ts-expect-error there is no such mode
    RateLimit({ ...MINUTE, onStoreFailure: 'open' });
    // @ts-expect-error names are texts
    SkipRateLimit(5);
    // @ts-expect-error it has no arguments
    RateLimitDecision('tier');

    expect(RateLimit).toHaveLength(1);
  });
});

describe('RateLimitModuleOptions', () => {
  it('accepts limits, and options that limits inherit', () => {
    const options: RateLimitModuleOptions[] = [
      {},
      { store: memoryStore(), prefix: 'zoo', secret: 'a secret', headers: [], body: 'slow down' },
      { ...MINUTE, onStoreFailure: 'local', share: 0.5 },
      { tiers: [MINUTE], authenticated: { ...MINUTE, key: byApiKey() } },
      { limiter },
    ];

    expect(options.map((each) => RateLimitModule.forRoot(each))).toHaveLength(options.length);
  });

  it('accepts a factory with any arguments', () => {
    const useFactory = async (limit: number, url: string): Promise<RateLimitModuleOptions> => ({
      limit,
      window: '1m',
      prefix: url,
    });

    expect(RateLimitModule.forRootAsync({ inject: ['limit', 'url'], useFactory })).toHaveProperty('module');
  });

  it('rejects other values', () => {
    // @ts-expect-error a factory returns options
    RateLimitModule.forRootAsync({ useFactory: () => 5 });
    // @ts-expect-error there is no such option
    RateLimitModule.forRoot({ ...MINUTE, ttl: 5 });
    // @ts-expect-error a limiter has a store already
    RateLimitModule.forRoot({ limiter, store: memoryStore() });

    expect(RateLimitModule).toBeInstanceOf(Function);
  });
});
