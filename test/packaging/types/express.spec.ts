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

// The compiler reads this file in `npm run lint`: where it refuses what it is told to refuse, the adapter does too.

const minute = { limit: 10, window: '1m' } as const;

const shared = createLimiter<Request>({ ...minute, key: byIp() });

describe('The options of rateLimit', () => {
  it('are those of one tier, whose key is the address when there is none', async () => {
    const handler: RateLimitHandler = rateLimit({ limit: 10, window: '1m' });

    const [inspection] = await handler.limiter.inspect({ ip: '192.0.2.1' });

    expect(inspection?.outcome).toMatchObject({ tier: 'default', limit: 10, remaining: 10 });
  });

  it.each<[string, RateLimitOptions]>([
    ['a tier with an identity', { ...minute, key: byApiKey() }],
    ['a tier with a function', { ...minute, key: (request) => request.get('x-tenant') ?? 'none' }],
    ['a tier that loads its key', { ...minute, key: async (request) => request.hostname }],
    ['a limit by request', { window: '1m', limit: ({ query }) => (query['fast'] ? 100 : null) }],
    ['a tier of an algorithm', { algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20, name: 'api' }],
    ['a queue', { algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 20 }],
    ['windows', { algorithm: 'multi-window', windows: [minute, { limit: 100, window: '1h' }] }],
    ['a tier that only watches', { ...minute, mode: 'shadow', countDenied: false, record: ({ path }) => path }],
    ['a cost', { ...minute, cost: 2 }],
    ['a cost by request', { ...minute, cost: ({ query }) => (query['all'] ? 10 : 1) }],
    ['a cost that is loaded', { ...minute, cost: async () => 1 }],
    ['a skip', { ...minute, skip: ({ path }) => path === '/health' }],
    ['a skip that is loaded', { ...minute, skip: async () => undefined }],
    ['no headers', { ...minute, headers: [] }],
    ['headers of two dialects', { ...minute, headers: ['x-ratelimit', 'draft-11'] }],
    ['a text as body', { ...minute, body: 'Slow down' }],
    ['an object as body', { ...minute, body: { error: 'slow down' } }],
    ['a handler of denials', { ...minute, onDenied: (_request, response) => response.redirect('/slow') }],
    ['a handler of denials that is async', { ...minute, onDenied: async (_request, _response, next) => next('route') }],
    ['a refund by status', { ...minute, refundWhen: (status) => status < 400 }],
    ['a refund by request', { ...minute, refundWhen: async (_status, { path }) => path === '/' }],
    [
      'a partition and a secret',
      { ...minute, store: memoryStore(), name: 'a', partition: ({ ip }) => ip ?? '', secret: 's' },
    ],
    [
      'tiers, with a key and without',
      {
        tiers: [
          { ...minute, name: 'ip' },
          { ...minute, name: 'key', key: byApiKey() },
        ],
      },
    ],
    ['what becomes of it without its store', { ...minute, onStoreFailure: 'deny', share: 1 / 3 }],
    [
      'what becomes of tiers without their store',
      { tiers: [{ ...minute, name: 'ip', onStoreFailure: 'deny' }], onStoreFailure: 'allow', share: 0.5 },
    ],
    ['what becomes of plans without their store', { tiers: () => [], onStoreFailure: 'local' }],
    ['a store that is asked every time', { ...minute, denyCache: false }],
    ['units that are charged ahead', { tiers: [{ ...minute, name: 'ip', lease: { units: 5, duration: '1s' } }] }],
    ['a cost beside tiers', { tiers: [{ ...minute, name: 'ip', cost: 1 }], cost: 2 }],
    ['plans', { tiers: ({ query }) => (query['paid'] ? [{ ...minute, name: 'paid' }] : []) }],
    ['a limiter', { limiter: createLimiter<Request>({ ...minute, key: byIp() }), cost: 2, headers: ['draft-6'] }],
  ])('may be %s', (_what, options) => {
    expect(() => rateLimit(options)).not.toThrow();
  });

  it.each<[string, RateLimitOptions]>([
    // @ts-expect-error a limiter has its tiers
    ['OPTION_UNKNOWN', { limiter: shared, tiers: [minute] }],
    // @ts-expect-error a limiter has its limits
    ['OPTION_UNKNOWN', { limiter: shared, limit: 10 }],
    // @ts-expect-error a limiter has its store
    ['OPTION_UNKNOWN', { limiter: shared, store: memoryStore() }],
    // @ts-expect-error a limiter has its keys
    ['OPTION_UNKNOWN', { limiter: shared, key: byIp() }],
    // @ts-expect-error a limiter says itself what becomes of it
    ['OPTION_UNKNOWN', { limiter: shared, onStoreFailure: 'deny' }],
    // @ts-expect-error and what its share is
    ['OPTION_UNKNOWN', { limiter: shared, share: 0.5 }],
    // @ts-expect-error nothing else can become of it
    ['OPTION_INVALID', { ...minute, onStoreFailure: 'open' }],
    // @ts-expect-error nor of a tier
    ['OPTION_INVALID', { tiers: [{ ...minute, onStoreFailure: true }] }],
    // @ts-expect-error a share is a number
    ['OPTION_INVALID', { ...minute, share: '1/3' }],
    // @ts-expect-error a limiter has its deny cache, or none
    ['OPTION_UNKNOWN', { limiter: shared, denyCache: false }],
    // @ts-expect-error a deny cache is on or off
    ['OPTION_INVALID', { ...minute, denyCache: '1m' }],
    // @ts-expect-error a lease ends
    ['OPTION_INVALID', { ...minute, lease: { units: 5 } }],
    // @ts-expect-error a share is not of a tier
    ['OPTION_UNKNOWN', { tiers: [{ ...minute, name: 'ip', share: 0.5 }] }],
    // @ts-expect-error no limiter
    ['OPTION_INVALID', { limiter: minute }],
    // @ts-expect-error tiers beside one tier in short
    ['OPTION_INVALID', { ...minute, tiers: [minute] }],
    // @ts-expect-error the key of a tier beside tiers
    ['OPTION_INVALID', { tiers: [minute], key: byIp() }],
    // @ts-expect-error no such dialect
    ['OPTION_INVALID', { ...minute, headers: ['draft-8'] }],
    // @ts-expect-error several dialects have a list
    ['OPTION_INVALID', { ...minute, headers: 'draft-11' }],
    // @ts-expect-error a switch has been decided before
    ['OPTION_INVALID', { ...minute, skip: true }],
    // @ts-expect-error a body is for body
    ['OPTION_INVALID', { ...minute, onDenied: 'Slow down' }],
    // @ts-expect-error no function
    ['OPTION_INVALID', { ...minute, refundWhen: 429 }],
    // @ts-expect-error the word is limit
    ['OPTION_UNKNOWN', { max: 10, window: '1m' }],
    // @ts-expect-error a sliding window has no burst
    ['OPTION_UNKNOWN', { ...minute, burst: 20 }],
    // @ts-expect-error a unit that does not exist
    ['WINDOW_INVALID', { limit: 10, window: '1 minute' }],
    // @ts-expect-error no limit
    ['LIMIT_INVALID', { window: '1m' }],
    // @ts-expect-error text is no cost
    ['COST_INVALID', { ...minute, cost: '2' }],
    // @ts-expect-error a key that is no function
    ['KEY_INVALID', { ...minute, key: 'ip' }],
  ])('are refused by the compiler, and with %s by the adapter: %j', (code, options) => {
    expect(() => rateLimit(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code }));
  });

  it('cannot be functions that return what is no key, cost or answer', () => {
    const wrong: RateLimitOptions[] = [
      // @ts-expect-error a key that may be missing
      { ...minute, key: (request) => request.get('x-tenant') },
      // @ts-expect-error a cost that may be missing
      { ...minute, cost: ({ body }) => (body ? 1 : undefined) },
      // @ts-expect-error a refund that is not decided
      { ...minute, refundWhen: (status) => (status > 499 ? true : undefined) },
      // @ts-expect-error a request has no such field
      { ...minute, skip: ({ address }) => address === '::1' },
    ];

    expect(wrong).toHaveLength(4);
  });

  it('are not those of a limiter that asks for what a request has not', () => {
    const tenants = createLimiter({ ...minute, key: ({ tenant }: { tenant: string }) => tenant });

    const refused = [
      // @ts-expect-error a request has no tenant
      () => rateLimit(tenants),
      // @ts-expect-error nor has it here
      () => rateLimit({ limiter: tenants }),
    ];

    expect(refused).toHaveLength(2);
  });

  it('are given what denies as a problem', () => {
    const body = ({ request, decision, problem }: Denied<Request>) => ({
      path: request.path,
      deniedBy: decision.deniedBy,
      title: problem.title,
    });

    expect(() => rateLimit({ ...minute, body })).not.toThrow();
  });
});
