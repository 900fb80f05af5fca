import {
  by,
  createLimiter,
  memoryStore,
  rateLimit,
  type Decision,
  type RateLimitOptions,
  type RouteRateLimit,
} from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('config.rateLimit of a Fastify route', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  it('adds a limit to that of the plugin', async () => {
    const app = await appWith({ limit: 3, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get('/', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/search', '/search', '/', '/'));

    expect(statusesOf(responses)).toEqual([200, 429, 200, 429]);
  });

  it('replaces the limit of the plugin with override', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 2, window: '1h', override: true } } }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/', '/search', '/search', '/search', '/'));

    expect(statusesOf(responses)).toEqual([404, 200, 200, 429, 429]);
  });

  it('keeps the limit of the plugin with override: false', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 5, window: '1h', override: false } } }, served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/search', '/search')))).toEqual([200, 429]);
  });

  it('removes every limit of the route with false', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.register(async (child) => {
      await child.register(rateLimit, { limit: 1, window: '1h' });
      child.get('/health', { config: { rateLimit: false } }, served);
    });
    const site = await open(app);

    const responses = await site.sendEach(gets('/health', '/health', '/health'));

    expect(statusesOf(responses)).toEqual([200, 200, 200]);
    expect(remainingOf(responses)).toEqual([undefined, undefined, undefined]);
  });

  it('accepts several tiers, and a shared limiter', async () => {
    const limiter = createLimiter<FastifyRequest>({ key: () => 'all', limit: 2, window: '1h' });
    const app = await appWith({ global: false, headers: ['draft-11'] });
    const tiers = [
      { name: 'minute', limit: 5, window: '1m' },
      { name: 'hour', limit: 9, window: '1h' },
    ] as const;
    app.get('/tiers', { config: { rateLimit: { tiers } } }, served);
    app.get('/a', { config: { rateLimit: { limiter } } }, served);
    app.get('/b', { config: { rateLimit: { limiter } } }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/tiers', '/a', '/b', '/a'));

    expect(membersOf(responses[0]!, 'ratelimit')).toMatchObject([{ name: 'hour' }, { name: 'minute' }]);
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
  });

  it('counts in its own hook, or in that of the plugin', async () => {
    const order: string[] = [];
    const counting = (name: string) => by('counting', () => void order.push(name));
    const app = await appWith({ global: false, hook: 'preValidation' });
    for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
      app.addHook(hook, async () => void order.push(hook));
    }
    const limited = (options: Partial<RouteRateLimit>) => ({
      config: { rateLimit: { limit: 5, window: '1h', key: counting('counted'), ...options } as RouteRateLimit },
    });
    app.get('/as-the-plugin', limited({}), served);
    app.get('/last', limited({ hook: 'preHandler' }), served);
    app.get('/first', limited({ hook: 'onRequest' }), served);

    const orders: number[] = [];
    for (const path of ['/as-the-plugin', '/last', '/first']) {
      order.length = 0;
      await app.inject(path);
      orders.push(order.indexOf('counted'));
    }
    await app.close();

    expect(orders).toEqual([3, 4, 1]);
  });

  it('keeps the hooks of the route', async () => {
    const order: string[] = [];
    const app = await appWith({ global: false });
    const onRequest = async () => void order.push('own');
    app.get('/one', { onRequest, config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get('/many', { onRequest: [onRequest, onRequest], config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/one', '/one', '/many', '/many'));

    expect(statusesOf(responses)).toEqual([200, 429, 200, 429]);
    expect(order).toHaveLength(6);
  });

  it('inherits store, prefix, secret, headers, body and onDenied, and overrides them', async () => {
    const store = memoryStore();
    const keys: string[] = [];
    const seen = {
      ...store,
      consume: (group: Parameters<typeof store.consume>[0]) => {
        keys.push(...group.map(({ key }) => key));
        return store.consume(group);
      },
    };
    const app = await appWith({
      global: false,
      store: seen,
      prefix: 'api',
      secret: 'pepper',
      headers: ['draft-7'],
      body: 'Slow down.',
    });
    app.get('/a', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get(
      '/b',
      { config: { rateLimit: { limit: 1, window: '1h', prefix: 'b', headers: [], body: { b: 1 } } } },
      served,
    );
    app.register(async (child) => {
      await child.register(rateLimit, { global: false, onDenied: async () => ({ denied: true }) });
      child.get('/c', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    });
    const site = await open(app);

    const [a, deniedA, b, deniedB, c, deniedC] = await site.sendEach(gets('/a', '/a', '/b', '/b', '/c', '/c'));

    expect(keys.map((key) => key.split(':')[0])).toEqual(['api', 'api', 'b', 'b']);
    expect(a!.headers).toHaveProperty('ratelimit');
    expect(a!.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(deniedA!.text).toBe('Slow down.');
    expect(b!.headers).not.toHaveProperty('ratelimit');
    expect(JSON.parse(deniedB!.text)).toEqual({ b: 1 });
    expect(c!.headers).toHaveProperty('x-ratelimit-limit');
    expect(JSON.parse(deniedC!.text)).toEqual({ denied: true });
  });

  it('has a budget for each route, also with a shared config object', async () => {
    const config = { rateLimit: { limit: 1, window: '1h' } } as const;
    const app = await appWith({ global: false, store: memoryStore() });
    app.get('/a', { config }, served);
    app.post('/a', { config }, served);
    app.get('/b', { config }, served);
    const site = await open(app);

    const responses = await site.sendEach([
      { path: '/a' },
      { path: '/a', method: 'POST' },
      { path: '/b' },
      { path: '/a' },
    ]);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
  });

  it.each<[string, RateLimitOptions]>([
    ['the store of its scope', { global: false }],
    ['a store that was passed in', { global: false, store: memoryStore() }],
  ])('has a budget for each constraint of a path, in %s', async (_which, options) => {
    const app = await appWith(options);
    const config = { rateLimit: { limit: 1, window: '1h' } } as const;
    app.get('/x', { config, constraints: { version: '1.0.0' } }, served);
    app.get('/x', { config, constraints: { version: '2.0.0' } }, served);
    app.get('/x', { config: { rateLimit: { limit: 2, window: '1h' } }, constraints: { host: 'a.example' } }, served);
    const site = await open(app);
    const version = (value: string) => ({ path: '/x', headers: { 'accept-version': value } });
    const host = { path: '/x', headers: { host: 'a.example' } };

    const responses = await site.sendEach([
      version('1.x'),
      version('2.x'),
      host,
      { ...version('1.x'), method: 'HEAD' },
      version('2.x'),
      host,
      host,
    ]);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429, 200, 429]);
  });

  it('has one budget with and without the slash after a prefix', async () => {
    const app = await appWith({ global: false });
    app.register(async (child) => void child.get('/', { config: { rateLimit: { limit: 2, window: '1h' } } }, served), {
      prefix: '/v1',
    });
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/v1', '/v1/', '/v1')))).toEqual([200, 200, 429]);
  });

  it('C50 has one budget for every spelling of the path', async () => {
    const app = await appWith(
      { global: false },
      { routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } },
    );
    app.get('/items/:id', { config: { rateLimit: { limit: 3, window: '1h' } } }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/items/1', '/ITEMS/1/', '/items/%31?a=1', '/items/2'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
  });

  it('puts the last decision in request.rateLimit', async () => {
    const seen: (Decision | undefined)[] = [];
    const app = await appWith({ name: 'all', limit: 5, window: '1h' });
    const see = (request: FastifyRequest) => {
      seen.push(request.rateLimit);
      return 'served';
    };
    app.get('/', see);
    app.get('/search', { config: { rateLimit: { limit: 3, window: '1h' } } }, see);
    app.get('/health', { config: { rateLimit: false } }, see);

    for (const path of ['/', '/search', '/health']) await app.inject(path);
    await app.close();

    expect(seen.map((decision) => decision?.binding?.tier)).toEqual(['all', 'GET /search', undefined]);
  });
});
