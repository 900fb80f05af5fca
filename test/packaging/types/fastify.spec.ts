import {
  byHeader,
  byIp,
  byJwtSubject,
  createLimiter,
  limited,
  memoryStore,
  rateLimit,
  type Decision,
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

// The compiler reads this file in `npm run lint`: where it refuses what it is told to refuse, the plugin does too.

const served = () => 'served';

describe('The options of the plugin', () => {
  it('are those of a limiter, of its gate, and when it counts', () => {
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

    expect(options).toHaveLength(15);
  });

  it('are refused where they cannot work', () => {
    const wrong: RateLimitOptions[] = [
      // @ts-expect-error no window
      { limit: 5 },
      // @ts-expect-error no limit, and not without one
      {},
      // @ts-expect-error a hook that comes too late
      { limit: 5, window: '1m', hook: 'onSend' },
      // @ts-expect-error a limit that would be overlooked
      { global: false, limit: 5, window: '1m' },
      // @ts-expect-error tiers beside one in short
      { tiers: [], limit: 5, window: '1m' },
      // @ts-expect-error a limiter has its limits already
      { limiter: createLimiter<FastifyRequest>({ key: byIp(), limit: 5, window: '1m' }), limit: 5 },
      // @ts-expect-error a request has no address
      { limit: (request) => Number(request.address), window: '1m' },
      // @ts-expect-error headers that nobody knows
      { limit: 5, window: '1m', headers: ['draft-12'] },
      // @ts-expect-error nothing else can become of it
      { limit: 5, window: '1m', onStoreFailure: 'open' },
      // @ts-expect-error a lease ends
      { limit: 5, window: '1m', lease: { units: 2 } },
      // @ts-expect-error neither of the limits below it
      { global: false, onStoreFailure: 'open' },
    ];

    expect(wrong).toHaveLength(11);
  });

  it('are checked where it is registered', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1m' });
    // @ts-expect-error no such option
    const wrong = () => app.register(rateLimit, { limit: 5, window: '1m', limti: 5 });

    expect(wrong).toBeInstanceOf(Function);
    await app.close();
  });

  it('register with HTTP/2, and with a logger', async () => {
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

describe('The config of a route', () => {
  it('has what it adds, or false', async () => {
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

  it('is refused where it cannot work', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });

    const wrong = [
      // @ts-expect-error no window
      () => app.get('/a', { config: { rateLimit: { limit: 30 } } }, served),
      // @ts-expect-error only false says none
      () => app.get('/b', { config: { rateLimit: true } }, served),
      // @ts-expect-error a hook that comes too late
      () => app.get('/c', { config: { rateLimit: { limit: 30, window: '1m', hook: 'onSend' } } }, served),
      // The compiler looks for what is missing in a config, and not for what is too much.
      () => app.get('/d', { config: { rateLimit: { limit: 30, window: '1m', global: false } } }, served),
    ];

    for (const add of wrong) expect(add).toThrow(/^route GET \/[a-d]: /);
    await app.close();
  });
});

describe('A hook', () => {
  it('is one for onRequest, preValidation and preHandler, of routes with generics too', async () => {
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

  it('knows its limiter and its decision', async () => {
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

  it('is made of options, or of a limiter that knows less of requests', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    const shared: Limiter<HttpRequest> = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1m' });
    const other = createLimiter<{ user: { id: string } }>({ key: ({ user }) => user.id, limit: 5, window: '1m' });

    app.rateLimit(shared);
    app.rateLimit({ limiter: shared, headers: ['draft-7'] });
    // @ts-expect-error a limiter of another subject
    app.rateLimit(other);
    // @ts-expect-error override is for the config of a route
    const wrong = () => app.rateLimit({ limit: 5, window: '1m', override: true });

    expect(wrong).toThrow(/override/);
    await app.close();
  });

  it('answers denials as a handler does', () => {
    const handlers: OnDenied[] = [
      () => ({ slow: 'down' }),
      async () => ({ slow: 'down' }),
      (_request, reply) => reply.code(429).send('slow down'),
      (request: FastifyRequest, reply: FastifyReply) => void reply.send(request.rateLimit?.retryAfter),
    ];

    expect(handlers).toHaveLength(4);
  });
});

describe('@limited', () => {
  it('takes what a hook takes', () => {
    const options: HookOptions = { limit: 5, window: '1m' };
    const route: RouteRateLimit = { ...options, override: true };

    expect(limited(options)).toBeInstanceOf(Function);
    expect(limited(createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1m' }))).toBeInstanceOf(Function);
    // @ts-expect-error no window
    expect(() => limited({ limit: 5 })).toThrow(/window/);
    expect(route.override).toBe(true);
  });
});

const free: Tier<FastifyRequest>[] = [{ name: 'minute', key: byIp(), limit: 5, window: '1m' }];
const paid: Tier<FastifyRequest>[] = [{ name: 'minute', key: byIp(), limit: 50, window: '1m' }];
