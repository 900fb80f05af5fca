import {
  by,
  createLimiter,
  memoryStore,
  rateLimit,
  type Decision,
  type HookOptions,
  type HttpRequest,
} from '@sluice/fastify';
import { sharedLayers } from '@sluice/core/own-store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFastifyFrom } from '../../support/fastify-version.js';
import { membersOf, statusesOf } from '../../support/responses.js';
import { gets, type TestRequest } from '../../support/site.js';
import { build, hourly, limited, opener, served, type Application } from './application.js';

const none = { global: false };
const anySpelling = { ignoreTrailingSlash: true, caseSensitive: false };
const free = { config: { rateLimit: false } } as const;

describe('config.rateLimit of a Fastify route', () => {
  const open = opener();
  const shared = { limiter: createLimiter<HttpRequest>({ key: () => 'all', ...hourly(2) }) } as HookOptions;
  const config = { rateLimit: hourly(1) };

  it.each<[string, Application, readonly TestRequest[], number[]]>([
    [
      'adds a limit to that of the plugin',
      { options: hourly(3), after: (app) => app.get('/search', limited(1), served).get('/', served) },
      gets('/search', '/search', '/', '/'),
      [200, 429, 200, 429],
    ],
    [
      'replaces the limit of the plugin with override',
      { options: hourly(1), after: (app) => app.get('/search', limited(2, { override: true }), served) },
      gets('/', '/search', '/search', '/search', '/'),
      [404, 200, 200, 429, 429],
    ],
    [
      'leaves the limit of the plugin with override: false',
      { options: hourly(1), after: (app) => app.get('/search', limited(5, { override: false }), served) },
      gets('/search', '/search'),
      [200, 429],
    ],
    [
      'removes every limit of the route with false',
      {
        options: hourly(1),
        after: (app) =>
          app.register(async (child) => {
            await child.register(rateLimit, hourly(1));
            child.get('/health', free, served);
          }),
      },
      gets('/health', '/health', '/health'),
      [200, 200, 200],
    ],
    [
      'accepts a shared limiter',
      {
        options: none,
        after: (app) =>
          app.get('/a', { config: { rateLimit: shared } }, served).get('/b', { config: { rateLimit: shared } }, served),
      },
      gets('/a', '/b', '/a'),
      [200, 200, 429],
    ],
    [
      'has a budget for each route, also with a shared config object',
      {
        options: { ...none, store: memoryStore() },
        after: (app) => app.get('/a', { config }, served).post('/a', { config }, served).get('/b', { config }, served),
      },
      [...gets('/a', '/b'), { path: '/a', method: 'POST' }, ...gets('/a')],
      [200, 200, 200, 429],
    ],
    [
      'has one budget with and without the slash after a prefix',
      {
        options: none,
        after: (app) => app.register(async (child) => void child.get('/', limited(2), served), { prefix: '/v1' }),
      },
      gets('/v1', '/v1/', '/v1'),
      [200, 200, 429],
    ],
    [
      'C50 has one budget for every spelling of the path',
      {
        server: isFastifyFrom('5.5.0') ? { routerOptions: anySpelling } : anySpelling,
        options: none,
        after: (app) => app.get('/items/:id', limited(3), served),
      },
      gets('/items/1', '/ITEMS/1/', '/items/%31?a=1', '/items/2'),
      [200, 200, 200, 429],
    ],
  ])('%s', async (_what, application, requests, statuses) => {
    const site = await open(application);

    expect(statusesOf(await site.sendEach(requests))).toEqual(statuses);
  });

  it('accepts several tiers', async () => {
    const tiers = [hourly(5, { name: 'a' }), { name: 'b', limit: 9, window: '1d' }] as HookOptions['tiers'];
    const site = await open({
      options: { ...none, headers: ['draft-11'] },
      after: (app) => app.get('/', { config: { rateLimit: { tiers } as HookOptions } }, served),
    });

    expect(membersOf(await site.send(), 'ratelimit')).toMatchObject([{ name: 'b' }, { name: 'a' }]);
  });

  it('counts in its own hook, or in that of the plugin', async () => {
    const order: string[] = [];
    const key = by('counting', () => void order.push('counted'));
    const app = await build({ options: { ...none, hook: 'preValidation' } });
    for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
      app.addHook(hook, async () => void order.push(hook));
    }
    app.get('/as-the-plugin', limited(5, { key }), served);
    app.get('/last', limited(5, { key, hook: 'preHandler' }), served);
    app.get('/first', limited(5, { key, hook: 'onRequest' }), served);

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
    const onRequest = async () => void order.push('own');
    const site = await open({
      options: none,
      after: (app) =>
        app
          .get('/one', { onRequest, ...limited(1) }, served)
          .get('/many', { onRequest: [onRequest, onRequest], ...limited(1) }, served),
    });

    const responses = await site.sendEach(gets('/one', '/one', '/many', '/many'));

    expect(statusesOf(responses)).toEqual([200, 429, 200, 429]);
    expect(order).toHaveLength(6);
  });

  it('inherits store, prefix, headers, body and onDenied, and overrides them', async () => {
    const store = memoryStore();
    const keys: string[] = [];
    const seen = {
      ...store,
      layers: sharedLayers,
      consume: (group: Parameters<typeof store.consume>[0]) => {
        keys.push(...group.map(({ key }) => key));
        return store.consume(group);
      },
    };
    const site = await open({
      options: { ...none, store: seen, prefix: 'api', secret: 'pepper', headers: ['draft-7'], body: 'Slow down.' },
      after: (app) => {
        app.get('/a', limited(1), served);
        app.get('/b', limited(1, { prefix: 'b', headers: [], body: { b: 1 } }), served);
        app.register(async (child) => {
          await child.register(rateLimit, { ...none, onDenied: async () => ({ denied: true }) } as never);
          child.get('/c', limited(1), served);
        });
      },
    });

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

  it('puts the last decision in request.rateLimit', async () => {
    const seen: (Decision | undefined)[] = [];
    const see = (request: FastifyRequest) => {
      seen.push(request.rateLimit);
      return 'served';
    };
    const routes = (app: FastifyInstance) =>
      app.get('/', see).get('/search', limited(3), see).get('/health', free, see);
    const app = await build({ options: hourly(5, { name: 'all' }), after: routes });

    for (const path of ['/', '/search', '/health']) await app.inject(path);
    await app.close();

    expect(seen.map((decision) => decision?.binding?.tier)).toEqual(['all', 'GET /search', undefined]);
  });
});
