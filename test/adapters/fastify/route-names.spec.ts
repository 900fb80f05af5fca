import { memoryStore, rateLimit, type RateLimitOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance, type HTTPMethods, type FastifyServerOptions } from 'fastify';
import { membersOf, statusesOf } from '../express/fields.js';
import { remaining, siteOpener } from './site.js';

const served = () => 'served';

describe('A route', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  describe('is named', () => {
    /** The name of a limit, as the field of the draft tells it. */
    async function nameOf(method: HTTPMethods | HTTPMethods[], url: string, path = url, prefix = ''): Promise<unknown> {
      const app = await appWith({ global: false, headers: ['draft-11'], store: memoryStore() });
      app.register(
        async (child) =>
          void child.route({ method, url, config: { rateLimit: { limit: 5, window: '1h' } }, handler: served }),
        { prefix },
      );
      const site = await open(app);
      const answer = await site.ask({ path, method: [method].flat().at(-1)! });
      expect(answer.status).toBe(200);
      return membersOf(answer, 'ratelimit')[0]?.name;
    }

    it.each<[string, HTTPMethods | HTTPMethods[], string, string, string]>([
      ['by its method and pattern', 'GET', '/items/:id', '/items/7', 'GET /items/:id'],
      ['by its methods', ['PUT', 'POST'], '/items', '/items', 'PUT,POST /items'],
      ['once for GET and HEAD', ['HEAD', 'GET'], '/items', '/items', 'GET /items'],
      ['by a pattern with a wildcard', 'GET', '/files/*', '/files/a/b', 'GET /files/*'],
      ['with a pattern encoded', 'GET', '/:at(^\\d{2}$)', '/12', 'GET /:at(^%5Cd%7B2%7D$)'],
      ['with letters encoded', 'GET', '/caf\u00e9', '/caf%C3%A9', 'GET /caf%C3%A9'],
    ])('%s', async (_how, method, url, path, name) => {
      expect(await nameOf(method, url, path)).toBe(name);
    });

    it('by its whole pattern, with the prefix of its scope', async () => {
      expect(await nameOf('GET', '/items', '/v1/items', '/v1')).toBe('GET /v1/items');
    });

    it('by a hash at the end when its pattern is long, so that no two have one name', async () => {
      const long = `/${'long/'.repeat(20)}`;

      const names = [await nameOf('GET', `${long}a`), await nameOf('GET', `${long}b`)];

      expect(names[0]).toMatch(/^GET \/long\/.{1,60}~[\w-]{11}$/);
      expect(String(names[0])).toHaveLength(64);
      expect(names[0]).not.toBe(names[1]);
    });

    it('ALL with every method', async () => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.all('/any', { config: { rateLimit: { limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      const answers = await site.askEach([{ path: '/any' }, { path: '/any', method: 'DELETE' }]);

      expect(membersOf(answers[1]!, 'ratelimit')).toMatchObject([{ name: 'ALL /any', r: 3 }]);
    });

    it.each<[string, Readonly<Record<string, unknown>>, Record<string, string>, string]>([
      ['its version', { version: '1.0.0' }, { 'accept-version': '1.x' }, 'GET /x version=1.0.0'],
      ['its host', { host: 'a.example' }, { host: 'a.example' }, 'GET /x host=a.example'],
      ['a host of many', { host: /^a\./ }, { host: 'a.example' }, 'GET /x host=/^a%5C./'],
      [
        'several, in one order',
        { version: '1.0.0', host: 'a.example' },
        { host: 'a.example', 'accept-version': '1.0.0' },
        'GET /x host=a.example version=1.0.0',
      ],
    ])('with %s, where it has constraints', async (_which, constraints, headers, name) => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.get('/x', { constraints, config: { rateLimit: { limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      expect(membersOf(await site.ask({ path: '/x', headers }), 'ratelimit')).toMatchObject([{ name }]);
    });

    it('by HEAD where it is for that alone', async () => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.head('/x', { config: { rateLimit: { limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      const answer = await site.ask({ path: '/x', method: 'HEAD' });

      expect(membersOf(answer, 'ratelimit')).toMatchObject([{ name: 'HEAD /x' }]);
    });

    it('as it says itself', async () => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.get('/x', { config: { rateLimit: { name: 'search', limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      expect(membersOf(await site.ask({ path: '/x' }), 'ratelimit')).toMatchObject([{ name: 'search' }]);
    });
  });

  describe('that answers HEAD', () => {
    it.each<[string, object, (app: FastifyInstance, config: RouteRateLimit) => void]>([
      ['by itself', {}, (app, rateLimit_) => app.get('/', { config: { rateLimit: rateLimit_ } }, served)],
      [
        'because it says so',
        { exposeHeadRoutes: false },
        (app, rateLimit_) => app.get('/', { exposeHeadRoute: true, config: { rateLimit: rateLimit_ } }, served),
      ],
      [
        'and several methods',
        {},
        (app, rateLimit_) =>
          app.route({ method: ['GET', 'POST'], url: '/', config: { rateLimit: rateLimit_ }, handler: served }),
      ],
      [
        'in a route that is added first, with the same config',
        {},
        (app, rateLimit_) => {
          app.head('/', { config: { rateLimit: rateLimit_ } }, served);
          app.get('/', { config: { rateLimit: rateLimit_ } }, served);
        },
      ],
    ])('%s counts it with GET, once', async (_how, server, add) => {
      const app = await appWith({ global: false }, server);
      add(app, { limit: 3, window: '1h' });
      const site = await open(app);

      const answers = await site.askEach([{}, { method: 'HEAD' }, {}, { method: 'HEAD' }]);

      expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
      expect(remaining(answers)).toEqual([2, 1, 0, 0]);
    });

    it.each<[string, RateLimitOptions]>([
      ['the store of its scope', { global: false }],
      ['a store that was passed in', { global: false, store: memoryStore() }],
    ])('counts for itself with a config of its own, in %s', async (_which, options) => {
      const app = await appWith(options);
      app.head('/', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
      app.get('/', { config: { rateLimit: { limit: 2, window: '1h' } } }, served);
      const site = await open(app);

      const answers = await site.askEach([{ method: 'HEAD' }, {}, {}, { method: 'HEAD' }, {}]);

      expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429]);
    });
  });
});
