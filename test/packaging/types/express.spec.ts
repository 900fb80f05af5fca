import {
  byApiKey,
  byIp,
  createLimiter,
  memoryStore,
  rateLimit,
  type Denied,
  type RateLimitHandler,
  type RateLimitOptions,
} from '@sluice/express';
import type { Request } from 'express';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const minute = { limit: 10, window: '1m' } as const;

const shared = createLimiter<Request>({ ...minute, key: byIp() });

describe('RateLimitOptions of Express', () => {
  it('has the address as its default key', async () => {
    const handler: RateLimitHandler = rateLimit(minute);

    const [inspection] = await handler.limiter.inspect({ ip: '192.0.2.1' });

    expect(inspection?.outcome).toMatchObject({ tier: 'default', limit: 10, remaining: 10 });
  });

  it('accepts the options of a tier, of a limiter and of a gate', () => {
    const tier = { ...minute, name: 'ip' } as const;
    const options: RateLimitOptions[] = [
      { ...minute, key: byApiKey() },
      { ...minute, key: (request) => request.get('x-tenant') ?? 'none' },
      { ...minute, key: async (request) => request.hostname },
      { window: '1m', limit: ({ query }) => (query['fast'] ? 100 : null) },
      { algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20, name: 'api' },
      { algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 20 },
      { algorithm: 'multi-window', windows: [minute, { limit: 100, window: '1h' }] },
      { ...minute, mode: 'shadow', charge: 'admitted', record: ({ path }) => path },
      { ...minute, cost: 2, skip: ({ path }) => path === '/health' },
      { ...minute, cost: ({ query }) => (query['all'] ? 10 : 1), skip: async () => undefined },
      { ...minute, cost: async () => 1, headers: [] },
      { ...minute, headers: ['x-ratelimit', 'draft-11'], body: 'Slow down' },
      { ...minute, body: { error: 'slow down' }, refundWhen: (status) => status < 400 },
      { ...minute, onDenied: (_request, response) => response.redirect('/slow') },
      { ...minute, onDenied: async (_request, _response, next) => next('route') },
      { ...minute, refundWhen: async (_status, { path }) => path === '/' },
      { ...tier, store: memoryStore(), partition: ({ ip }) => ip ?? '', secret: 's' },
      { tiers: [tier, { ...minute, name: 'key', key: byApiKey() }] },
      { ...minute, onStoreFailure: 'deny', share: 1 / 3, denyCache: false },
      { tiers: [{ ...tier, onStoreFailure: 'deny' }], onStoreFailure: 'allow', share: 0.5 },
      { tiers: () => [], onStoreFailure: 'local' },
      { tiers: [{ ...tier, lease: { units: 5, duration: '1s' } }] },
      { tiers: [{ ...tier, cost: 1 }], cost: 2 },
      { tiers: ({ query }) => (query['paid'] ? [{ ...minute, name: 'paid' }] : []) },
      { limiter: shared, cost: 2, headers: ['draft-6'] },
    ];

    expect(options.map((each) => rateLimit(each))).toHaveLength(options.length);
  });

  it.each<[string, RateLimitOptions]>([
    // @ts-expect-error a limiter has tiers already
    ['OPTION_UNKNOWN', { limiter: shared, tiers: [minute] }],
    // @ts-expect-error a limiter has limits already
    ['OPTION_UNKNOWN', { limiter: shared, limit: 10 }],
    // @ts-expect-error a limiter has a store already
    ['OPTION_UNKNOWN', { limiter: shared, store: memoryStore() }],
    // @ts-expect-error a limiter has a failure mode already
    ['OPTION_UNKNOWN', { limiter: shared, onStoreFailure: 'deny' }],
    // @ts-expect-error a failure mode is text
    ['OPTION_INVALID', { tiers: [{ ...minute, onStoreFailure: true }] }],
    // @ts-expect-error a limiter has a deny cache already
    ['OPTION_UNKNOWN', { limiter: shared, denyCache: false }],
    // @ts-expect-error a deny cache is on or off
    ['OPTION_INVALID', { ...minute, denyCache: '1m' }],
    // @ts-expect-error a lease has a duration
    ['OPTION_INVALID', { ...minute, lease: { units: 5 } }],
    // @ts-expect-error a tier has no share
    ['OPTION_UNKNOWN', { tiers: [{ ...minute, name: 'ip', share: 0.5 }] }],
    // @ts-expect-error this is not a limiter
    ['OPTION_INVALID', { limiter: minute }],
    // @ts-expect-error there is no such format
    ['OPTION_INVALID', { ...minute, headers: ['draft-8'] }],
    // @ts-expect-error formats are an array
    ['OPTION_INVALID', { ...minute, headers: 'draft-11' }],
    // @ts-expect-error skip is a function
    ['OPTION_INVALID', { ...minute, skip: true }],
    // @ts-expect-error onDenied is a handler
    ['OPTION_INVALID', { ...minute, onDenied: 'Slow down' }],
    // @ts-expect-error refundWhen is a function
    ['OPTION_INVALID', { ...minute, refundWhen: 429 }],
    // @ts-expect-error a cost is a number
    ['COST_INVALID', { ...minute, cost: '2' }],
  ])('has an error of the types and %s at run time for %j', (code, options) => {
    expect(() => rateLimit(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code }));
  });

  it('rejects functions with the wrong result', () => {
    const wrong: RateLimitOptions[] = [
      // @ts-expect-error a key is never undefined
      { ...minute, key: (request) => request.get('x-tenant') },
      // @ts-expect-error a cost is never undefined
      { ...minute, cost: ({ body }) => (body ? 1 : undefined) },
      // @ts-expect-error a refund is never undefined
      { ...minute, refundWhen: (status) => (status > 499 ? true : undefined) },
      // @ts-expect-error a request has no such field
      { ...minute, skip: ({ address }) => address === '::1' },
    ];

    expect(wrong).toHaveLength(4);
  });

  it('rejects a limiter of another subject', () => {
    const tenants = createLimiter({ ...minute, key: ({ tenant }: { tenant: string }) => tenant });

    const wrong = [
      // @ts-expect-error a request has no tenant
      () => rateLimit({ limiter: tenants }),
      // @ts-expect-error a limiter belongs into an object
      () => rateLimit(shared),
    ];

    expect(wrong).toHaveLength(2);
  });

  it('types the arguments of body', () => {
    const body = ({ request, decision, problem }: Denied<Request>) => ({
      path: request.path,
      deniedBy: decision.deniedBy,
      title: problem.title,
    });

    expect(() => rateLimit({ ...minute, body })).not.toThrow();
  });
});
