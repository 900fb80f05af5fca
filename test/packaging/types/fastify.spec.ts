import {
  by,
  byHeader,
  byIp,
  byJwtSubject,
  compose,
  createLimiter,
  limited,
  loginTiers,
  memoryStore,
  rateLimit,
  type Decision,
  type Denied,
  type HookOptions,
  type HttpRequest,
  type Limiter,
  type OnDenied,
  type RateLimitHook,
  type RateLimitOptions,
  type RouteRateLimit,
  type Tier,
} from '@sluice/fastify';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';

// `npm run lint` compiles this file. Each @ts-expect-error is an error that the types must report.

const served = () => 'served';

describe('RateLimitOptions of Fastify', () => {
  it('accepts the options of a limiter and of its gate, and a hook', () => {
    const options: RateLimitOptions[] = [
      { limit: 5, window: '1m' },
      { name: 'minute', limit: 5, window: '1m', global: true, hook: 'preHandler', headers: ['draft-11'] },
      { algorithm: 'token-bucket', limit: 20, window: '1s', burst: 40, cost: 2, body: 'Slow down.' },
      { tiers: [{ name: 'key', key: byHeader('x-key'), limit: 5, window: '1m' }], store: memoryStore() },
      { tiers: ({ user }: FastifyRequest) => (user === undefined ? free : paid) },
      { limiter: createLimiter<FastifyRequest>({ key: byIp(), limit: 5, window: '1m' }), skip: async () => false },
      { limit: ({ ip }) => (ip === '::1' ? null : 5), window: '1m', cost: ({ url }) => url.length },
      { limit: 5, window: '1m', refundWhen: (status, { method }) => status < 400 && method === 'GET' },
      { limit: 5, window: '1m', onStoreFailure: 'deny', share: 1 / 3 },
      { tiers: [{ name: 'key', limit: 5, window: '1m', onStoreFailure: 'deny' }], onStoreFailure: 'allow' },
      { limit: 5, window: '1m', denyCache: false, lease: { units: 2, duration: '1s' } },
      { global: false },
      { global: false, hook: 'preValidation', store: memoryStore(), prefix: 'api', secret: 'pepper' },
      { global: false, onStoreFailure: 'deny', share: 0.5 },
      { global: false, headers: [], body: { slow: 'down' }, onDenied: (_request, reply) => reply.send('no') },
    ];

    expect(options).not.toHaveLength(0);
  });

  it('rejects other values', () => {
    const wrong: RateLimitOptions[] = [
      // @ts-expect-error the window is missing
      { limit: 5 },
      // @ts-expect-error the limit is missing, without global: false
      {},
      // @ts-expect-error the hook runs too late
      { limit: 5, window: '1m', hook: 'onSend' },
      // @ts-expect-error the limit would have no effect
      { global: false, limit: 5, window: '1m' },
      // @ts-expect-error tiers and one tier in short form
      { tiers: [], limit: 5, window: '1m' },
      // @ts-expect-error a limiter has limits already
      { limiter: createLimiter<FastifyRequest>({ key: byIp(), limit: 5, window: '1m' }), limit: 5 },
      // @ts-expect-error a request has no address
      { limit: (request) => Number(request.address), window: '1m' },
      // @ts-expect-error there is no such format
      { limit: 5, window: '1m', headers: ['draft-12'] },
      // @ts-expect-error there is no such mode
      { limit: 5, window: '1m', onStoreFailure: 'open' },
      // @ts-expect-error a lease has a duration
      { limit: 5, window: '1m', lease: { units: 2 } },
      // @ts-expect-error there is no such mode to inherit
      { global: false, onStoreFailure: 'open' },
    ];

    expect(wrong).not.toHaveLength(0);
  });

  it('is checked by app.register', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1m' });
    // @ts-expect-error there is no such option
    const wrong = () => app.register(rateLimit, { limit: 5, window: '1m', limti: 5 });

    expect(wrong).toBeInstanceOf(Function);
    await app.close();
  });

  it('registers with HTTP/2 and with a logger', async () => {
    const apps = [fastify({ http2: true }), fastify({ logger: false })] as const;
    await apps[0].register(rateLimit, { limit: 5, window: '1m' });
    await apps[1].register(rateLimit, { limit: 5, window: '1m' });

    const hook = apps[0].rateLimit({ limit: 5, window: '1m' });
    apps[0].addHook('preHandler', hook);
    apps[0].get('/never', { onRequest: hook }, served);
    apps[0].get('/', (request) => ({ same: hook.decision(request) === request.rateLimit }));

    expect((await apps[0].inject('/')).json()).toEqual({ same: true });
    await Promise.all(apps.map((app) => app.close()));
  });
});

describe('The config of a route of Fastify', () => {
  it('accepts a limit, or false', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });

    app.get('/search', { config: { rateLimit: { limit: 30, window: '1m' } } }, served);
    app.get('/login', { config: { rateLimit: { limit: 5, window: '1m', onStoreFailure: 'deny' } } }, served);
    app.get('/health', { config: { rateLimit: false } }, served);
    app.get('/user', { config: { rateLimit: { limit: 5, window: '1m', hook: 'preHandler', override: true } } }, served);
    app.route({
      method: ['GET', 'POST'],
      url: '/route',
      config: { rateLimit: { tiers: [{ name: 'minute', limit: ({ ip }) => ip.length, window: '1m' }] } },
      handler: served,
    });

    expect(app.hasRoute({ method: 'GET', url: '/search' })).toBe(true);
    await app.close();
  });

  it('rejects other values', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });

    const wrong = [
      // @ts-expect-error the window is missing
      () => app.get('/a', { config: { rateLimit: { limit: 30 } } }, served),
      // @ts-expect-error true is not a limit
      () => app.get('/b', { config: { rateLimit: true } }, served),
      // @ts-expect-error the hook runs too late
      () => app.get('/c', { config: { rateLimit: { limit: 30, window: '1m', hook: 'onSend' } } }, served),
      // TypeScript does not report surplus properties of a config.
      () => app.get('/d', { config: { rateLimit: { limit: 30, window: '1m', global: false } } }, served),
    ];

    for (const add of wrong) expect(add).toThrow(/^route GET \/[a-d]: /);
    await app.close();
  });
});

describe('The functions of a limit of Fastify', () => {
  interface Login {
    phone: string;
  }
  type LoginRequest = FastifyRequest<{ Body: Login; Querystring: { next: string }; Params: { tenant: string } }>;

  it('take the request of a route with types', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const phone = by('phone', (request: LoginRequest) => request.body?.phone);
    const minute = { limit: 5, window: '1m' } as const;
    const all: RouteRateLimit = {
      ...minute,
      hook: 'preHandler',
      key: compose(
        by('tenant', ({ params }: LoginRequest) => params.tenant),
        phone,
      ),
      cost: ({ query }: LoginRequest) => query.next.length,
      skip: (request: LoginRequest) => request.body?.phone === '112',
      body: ({ request }: Denied<LoginRequest>) => request.params.tenant,
      onDenied: (request: LoginRequest, reply) => reply.send(request.body.phone),
    };

    app.post<{ Body: Login }>('/one', { config: { rateLimit: { ...minute, key: phone } } }, served);
    app.post<{ Body: Login }>('/two', { preHandler: app.rateLimit({ ...minute, key: phone }) }, served);
    app.post<{ Body: Login }>('/three', { config: { rateLimit: all } }, served);

    expect(app.hasRoute({ method: 'POST', url: '/three' })).toBe(true);
    await app.close();
  });

  it('read a body without a cast', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const limits: RouteRateLimit[] = [
      { limit: 5, window: '1m', key: by('phone', (request) => request.body?.phone) },
      {
        tiers: loginTiers({
          account: ({ body }) => body?.phone,
          device: ({ headers }) => headers['x-device']?.toString(),
        }),
      },
    ];

    app.post<{ Body: Login }>(
      '/login',
      { config: { rateLimit: { limit: 5, window: '1m', key: by('phone', (request) => request.body?.phone) } } },
      ({ body }) => body.phone,
    );

    expect(limits.map((options) => app.rateLimit(options).limiter)).toHaveLength(2);
    await app.close();
  });
});

describe('app.rateLimit', () => {
  it('returns a hook for onRequest, preValidation and preHandler, also of routes with generics', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const hook: RateLimitHook = app.rateLimit({ limit: 5, window: '1m', key: byJwtSubject() });

    app.addHook('onRequest', hook);
    app.addHook('preValidation', hook);
    app.addHook('preHandler', hook);
    app.get('/one', { onRequest: hook, preValidation: [hook], preHandler: [hook, hook] }, served);
    app.post<{ Body: { name: string }; Params: { id: string }; Querystring: { page: number } }>(
      '/items/:id',
      { onRequest: hook, preValidation: hook, preHandler: [hook] },
      async ({ body, params, query, rateLimit: decision }) =>
        `${body.name} ${params.id} ${query.page} ${decision?.binding?.remaining}`,
    );
    app.get('/schema', { schema: { querystring: { type: 'object' } }, preHandler: hook }, served);

    expect(hook.limiter).toHaveProperty('consume');
    await app.close();
  });

  it('returns a hook with its limiter and its decision', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const hook = app.rateLimit({ limit: 5, window: '1m' });
    app.get('/', { onRequest: hook }, (request) => {
      const decision: Decision | undefined = hook.decision(request);
      const last: Decision | undefined = request.rateLimit;
      const limiter: Limiter<FastifyRequest> = hook.limiter;
      return { same: decision === last, policies: limiter.policies(decision!).length };
    });

    expect((await app.inject('/')).json()).toEqual({ same: true, policies: 1 });
    await app.close();
  });

  it('accepts options, or a limiter of a more general subject', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const shared: Limiter<HttpRequest> = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1m' });
    const other = createLimiter<{ user: { id: string } }>({ key: ({ user }) => user.id, limit: 5, window: '1m' });

    app.rateLimit({ limiter: shared });
    app.rateLimit({ limiter: shared, headers: ['draft-7'] });
    // @ts-expect-error the limiter has another subject
    app.rateLimit({ limiter: other });
    // @ts-expect-error only the config of a route has override
    const wrong = () => app.rateLimit({ limit: 5, window: '1m', override: true });

    expect(wrong).toThrow(/override/);
    await app.close();
  });

  it('types onDenied as a handler', () => {
    const handlers: OnDenied[] = [
      () => ({ slow: 'down' }),
      async () => ({ slow: 'down' }),
      (_request, reply) => reply.code(429).send('slow down'),
      (request: FastifyRequest, reply: FastifyReply) => void reply.send(request.rateLimit?.retryAfter),
    ];

    expect(handlers).toHaveLength(4);
  });
});

describe('limited of Fastify', () => {
  it('accepts the options of a hook', () => {
    const options: HookOptions = { limit: 5, window: '1m' };
    const route: RouteRateLimit = { ...options, override: true };

    expect(limited(options)).toBeInstanceOf(Function);
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1m' });
    expect(limited({ limiter })).toBeInstanceOf(Function);
    // @ts-expect-error the window is missing
    expect(() => limited({ limit: 5 })).toThrow(/window/);
    expect(route.override).toBe(true);
  });
});

const free: Tier<FastifyRequest>[] = [{ name: 'minute', key: byIp(), limit: 5, window: '1m' }];
const paid: Tier<FastifyRequest>[] = [{ name: 'minute', key: byIp(), limit: 50, window: '1m' }];
