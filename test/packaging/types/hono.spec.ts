import {
  byHeader,
  byIp,
  byJwtSubject,
  createLimiter,
  limited,
  memoryStore,
  rateLimit,
  type Decision,
  type HonoSubject,
  type HttpRequest,
  type Limiter,
  type RateLimitHandler,
  type RateLimitOptions,
} from '@sluice/hono';
import { Hono } from 'hono';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

describe('RateLimitOptions of Hono', () => {
  it('accepts the options of a limiter and of its gate, and where addresses are', () => {
    const options: RateLimitOptions[] = [
      { limit: 5, window: '1m' },
      { name: 'minute', limit: 5, window: '1m', trustProxy: ['loopback', '10.0.0.0/8'], headers: ['draft-11'] },
      { limit: 5, window: '1m', ip: (c) => c.req.header('cf-connecting-ip') },
      { algorithm: 'token-bucket', limit: 20, window: '1s', burst: 40, cost: 2, body: 'Slow down.' },
      { tiers: [{ name: 'key', key: byHeader('x-key'), limit: 5, window: '1m' }], store: memoryStore() },
      { limit: ({ context }) => (context.req.path === '/health' ? null : 5), window: '1m', key: byJwtSubject() },
      { limiter: createLimiter<HonoSubject>({ key: byIp(), limit: 5, window: '1m' }), skip: async () => false },
      { limit: 5, window: '1m', refundWhen: (status, { method }) => status < 400 && method === 'GET' },
      { limit: 5, window: '1m', onStoreFailure: 'deny', onDenied: (c) => c.json({ slow: 'down' }) },
    ];

    expect(options).not.toHaveLength(0);
  });

  it('rejects other values', () => {
    const wrong: RateLimitOptions[] = [
      // @ts-expect-error the window is missing
      { limit: 5 },
      // @ts-expect-error the limit is missing
      {},
      // @ts-expect-error tiers and one tier in short form
      { tiers: [], limit: 5, window: '1m' },
      // @ts-expect-error a number of hops is no proxy
      { limit: 5, window: '1m', trustProxy: 1 },
      // @ts-expect-error a limiter has limits already
      { limiter: createLimiter<HonoSubject>({ key: byIp(), limit: 5, window: '1m' }), limit: 5 },
      // @ts-expect-error a subject has no address
      { limit: (subject) => Number(subject.address), window: '1m' },
      // @ts-expect-error a handler returns a response
      { limit: 5, window: '1m', onDenied: () => 'slow down' },
      // @ts-expect-error there is no such format
      { limit: 5, window: '1m', headers: ['draft-12'] },
      // @ts-expect-error there is no such mode
      { limit: 5, window: '1m', onStoreFailure: 'open' },
    ];

    expect(wrong).not.toHaveLength(0);
  });
});

describe('rateLimit of Hono', () => {
  it('fits an app and a route of any environment, and leaves the types of its handlers', async () => {
    const app = new Hono<{ Variables: { user: { id: string } } }>();
    const limit: RateLimitHandler = rateLimit({ limit: 5, window: '1m', ip: () => '192.0.2.1' });

    app.use(limit);
    app.get('/items/:id', limit, (c) => {
      const { id } = c.req.param();
      const same: Decision | undefined = limit.decision(c);
      const limiter: Limiter<HonoSubject> = limit.limiter;
      // @ts-expect-error the environment has no such variable
      const tenant: unknown = c.get('tenant');
      return c.json({
        id,
        tenant: tenant ?? null,
        same: same === c.get('rateLimit'),
        policies: limiter.policies(same!).length,
      });
    });

    const response = await app.request('/items/7');

    expect(await response.json()).toEqual({ id: '7', tenant: null, same: true, policies: 1 });
  });

  it('accepts a limiter of a more general subject, and no other', () => {
    const shared: Limiter<HttpRequest> = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1m' });
    const other = createLimiter<{ tenant: { id: string } }>({ key: ({ tenant }) => tenant.id, limit: 5, window: '1m' });

    const limit = rateLimit({ limiter: shared });
    // @ts-expect-error the limiter has another subject
    rateLimit({ limiter: other });

    expect(limit.limiter).toBe(shared);
  });
});

describe('limited of Hono', () => {
  it('takes the options of rateLimit', () => {
    // @ts-expect-error the window is missing
    const wrong = () => limited({ limit: 5 });

    expect(limited({ limit: 5, window: '1m' })).toBeInstanceOf(Function);
    expect(wrong).toThrow(/window/);
  });
});
