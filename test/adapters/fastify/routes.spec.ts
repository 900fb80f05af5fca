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
import { membersOf, statusesOf } from '../express/fields.js';
import { paths, remaining, siteOpener } from './site.js';

const served = () => 'served';

describe('A route', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  it('adds the limit in its config to that of the plugin', async () => {
    const app = await appWith({ limit: 3, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach(paths('/search', '/search', '/', '/'));

    expect(statusesOf(answers)).toEqual([200, 429, 200, 429]);
  });

  it('has its own limit alone with override', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 2, window: '1h', override: true } } }, served);
    const site = await open(app);

    const answers = await site.askEach(paths('/', '/search', '/search', '/search', '/'));

    expect(statusesOf(answers)).toEqual([404, 200, 200, 429, 429]);
  });

  it('has its own limit beside that of the plugin with override: false', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.get('/search', { config: { rateLimit: { limit: 5, window: '1h', override: false } } }, served);
    const site = await open(app);

    expect(statusesOf(await site.askEach(paths('/search', '/search')))).toEqual([200, 429]);
  });

  it('has no limit with false, neither of its scope nor of those around it', async () => {
    const app = await appWith({ limit: 1, window: '1h' });
    app.register(async (child) => {
      await child.register(rateLimit, { limit: 1, window: '1h' });
      child.get('/health', { config: { rateLimit: false } }, served);
    });
    const site = await open(app);

    const answers = await site.askEach(paths('/health', '/health', '/health'));

    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    expect(remaining(answers)).toEqual([undefined, undefined, undefined]);
  });

  it('takes several tiers, and a limiter that is shared', async () => {
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

    const answers = await site.askEach(paths('/tiers', '/a', '/b', '/a'));

    expect(membersOf(answers[0]!, 'ratelimit')).toMatchObject([{ name: 'hour' }, { name: 'minute' }]);
    expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  });

  it('counts when it says, or when the plugin does', async () => {
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

  it('keeps the hooks that it has', async () => {
    const order: string[] = [];
    const app = await appWith({ global: false });
    const onRequest = async () => void order.push('own');
    app.get('/one', { onRequest, config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get('/many', { onRequest: [onRequest, onRequest], config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    const site = await open(app);

    const answers = await site.askEach(paths('/one', '/one', '/many', '/many'));

    expect(statusesOf(answers)).toEqual([200, 429, 200, 429]);
    expect(order).toHaveLength(6);
  });

  it('inherits store, prefix, secret, headers, body and onDenied, and may have its own', async () => {
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

    const [a, deniedA, b, deniedB, c, deniedC] = await site.askEach(paths('/a', '/a', '/b', '/b', '/c', '/c'));

    expect(keys.map((key) => key.split(':')[0])).toEqual(['api', 'api', 'b', 'b']);
    expect(a!.headers).toHaveProperty('ratelimit');
    expect(a!.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(deniedA!.text).toBe('Slow down.');
    expect(b!.headers).not.toHaveProperty('ratelimit');
    expect(JSON.parse(deniedB!.text)).toEqual({ b: 1 });
    expect(c!.headers).toHaveProperty('x-ratelimit-limit');
    expect(JSON.parse(deniedC!.text)).toEqual({ denied: true });
  });

  it('has a budget of its own, also where two share a config', async () => {
    const config = { rateLimit: { limit: 1, window: '1h' } } as const;
    const app = await appWith({ global: false, store: memoryStore() });
    app.get('/a', { config }, served);
    app.post('/a', { config }, served);
    app.get('/b', { config }, served);
    const site = await open(app);

    const answers = await site.askEach([
      { path: '/a' },
      { path: '/a', method: 'POST' },
      { path: '/b' },
      { path: '/a' },
    ]);

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  });

  it.each<[string, RateLimitOptions]>([
    ['the store of its scope', { global: false }],
    ['a store that was passed in', { global: false, store: memoryStore() }],
  ])('has a budget of its own beside others of its address with other constraints, in %s', async (_which, options) => {
    const app = await appWith(options);
    const config = { rateLimit: { limit: 1, window: '1h' } } as const;
    app.get('/x', { config, constraints: { version: '1.0.0' } }, served);
    app.get('/x', { config, constraints: { version: '2.0.0' } }, served);
    app.get('/x', { config: { rateLimit: { limit: 2, window: '1h' } }, constraints: { host: 'a.example' } }, served);
    const site = await open(app);
    const version = (value: string) => ({ path: '/x', headers: { 'accept-version': value } });
    const host = { path: '/x', headers: { host: 'a.example' } };

    const answers = await site.askEach([
      version('1.x'),
      version('2.x'),
      host,
      { ...version('1.x'), method: 'HEAD' },
      version('2.x'),
      host,
      host,
    ]);

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429, 200, 429]);
  });

  it('has one budget with and without the slash that its prefix leaves open', async () => {
    const app = await appWith({ global: false });
    app.register(async (child) => void child.get('/', { config: { rateLimit: { limit: 2, window: '1h' } } }, served), {
      prefix: '/v1',
    });
    const site = await open(app);

    expect(statusesOf(await site.askEach(paths('/v1', '/v1/', '/v1')))).toEqual([200, 200, 429]);
  });

  it('is the same for every spelling of its address', async () => {
    const app = await appWith(
      { global: false },
      { routerOptions: { ignoreTrailingSlash: true, caseSensitive: false } },
    );
    app.get('/items/:id', { config: { rateLimit: { limit: 3, window: '1h' } } }, served);
    const site = await open(app);

    const answers = await site.askEach(paths('/items/1', '/ITEMS/1/', '/items/%31?a=1', '/items/2'));

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
  });

  it('finds the decision that was made last in request.rateLimit', async () => {
    const told: (Decision | undefined)[] = [];
    const app = await appWith({ name: 'all', limit: 5, window: '1h' });
    const tell = (request: FastifyRequest) => {
      told.push(request.rateLimit);
      return 'served';
    };
    app.get('/', tell);
    app.get('/search', { config: { rateLimit: { limit: 3, window: '1h' } } }, tell);
    app.get('/health', { config: { rateLimit: false } }, tell);

    for (const path of ['/', '/search', '/health']) await app.inject(path);
    await app.close();

    expect(told.map((decision) => decision?.binding?.tier)).toEqual(['all', 'GET /search', undefined]);
  });
});
