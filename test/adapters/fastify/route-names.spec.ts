import { memoryStore, rateLimit, type RateLimitOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance, type HTTPMethods, type FastifyServerOptions } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('the limit of a Fastify route', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  describe('is named', () => {
    /** The name of a limit, as the draft reports it. */
    async function nameOf(method: HTTPMethods | HTTPMethods[], url: string, path = url, prefix = ''): Promise<unknown> {
      const app = await appWith({ global: false, headers: ['draft-11'], store: memoryStore() });
      app.register(
        async (child) =>
          void child.route({ method, url, config: { rateLimit: { limit: 5, window: '1h' } }, handler: served }),
        { prefix },
      );
      const site = await open(app);
      const response = await site.send({ path, method: [method].flat().at(-1)! });
      expect(response.status).toBe(200);
      return membersOf(response, 'ratelimit')[0]?.name;
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

    it('by a hash at the end of a long pattern, so that names stay unique', async () => {
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

      const responses = await site.sendEach([{ path: '/any' }, { path: '/any', method: 'DELETE' }]);

      expect(membersOf(responses[1]!, 'ratelimit')).toMatchObject([{ name: 'ALL /any', r: 3 }]);
    });

    it.each<[string, Readonly<Record<string, unknown>>, Record<string, string>, string]>([
      ['the version', { version: '1.0.0' }, { 'accept-version': '1.x' }, 'GET /x version=1.0.0'],
      ['the host', { host: 'a.example' }, { host: 'a.example' }, 'GET /x host=a.example'],
      ['a pattern of hosts', { host: /^a\./ }, { host: 'a.example' }, 'GET /x host=/^a%5C./'],
      [
        'several, in a fixed order',
        { version: '1.0.0', host: 'a.example' },
        { host: 'a.example', 'accept-version': '1.0.0' },
        'GET /x host=a.example version=1.0.0',
      ],
    ])('with %s of its constraints', async (_which, constraints, headers, name) => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.get('/x', { constraints, config: { rateLimit: { limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      expect(membersOf(await site.send({ path: '/x', headers }), 'ratelimit')).toMatchObject([{ name }]);
    });

    it('by HEAD when it answers only that', async () => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.head('/x', { config: { rateLimit: { limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      const response = await site.send({ path: '/x', method: 'HEAD' });

      expect(membersOf(response, 'ratelimit')).toMatchObject([{ name: 'HEAD /x' }]);
    });

    it('by the name in its options', async () => {
      const app = await appWith({ global: false, headers: ['draft-11'] });
      app.get('/x', { config: { rateLimit: { name: 'search', limit: 5, window: '1h' } } }, served);
      const site = await open(app);

      expect(membersOf(await site.send({ path: '/x' }), 'ratelimit')).toMatchObject([{ name: 'search' }]);
    });
  });

  describe('and HEAD', () => {
    it.each<[string, object, (app: FastifyInstance, config: RouteRateLimit) => void]>([
      ['exposed by default', {}, (app, rateLimit_) => app.get('/', { config: { rateLimit: rateLimit_ } }, served)],
      [
        'exposed by the route',
        { exposeHeadRoutes: false },
        (app, rateLimit_) => app.get('/', { exposeHeadRoute: true, config: { rateLimit: rateLimit_ } }, served),
      ],
      [
        'with several methods',
        {},
        (app, rateLimit_) =>
          app.route({ method: ['GET', 'POST'], url: '/', config: { rateLimit: rateLimit_ }, handler: served }),
      ],
      [
        'in an earlier route with the same config',
        {},
        (app, rateLimit_) => {
          app.head('/', { config: { rateLimit: rateLimit_ } }, served);
          app.get('/', { config: { rateLimit: rateLimit_ } }, served);
        },
      ],
    ])('counts HEAD with GET, once, %s', async (_how, server, add) => {
      const app = await appWith({ global: false }, server);
      add(app, { limit: 3, window: '1h' });
      const site = await open(app);

      const responses = await site.sendEach([{}, { method: 'HEAD' }, {}, { method: 'HEAD' }]);

      expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
      expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    });

    it.each<[string, RateLimitOptions]>([
      ['the store of its scope', { global: false }],
      ['a store that was passed in', { global: false, store: memoryStore() }],
    ])('counts HEAD apart with a config of its own, in %s', async (_which, options) => {
      const app = await appWith(options);
      app.head('/', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
      app.get('/', { config: { rateLimit: { limit: 2, window: '1h' } } }, served);
      const site = await open(app);

      const responses = await site.sendEach([{ method: 'HEAD' }, {}, {}, { method: 'HEAD' }, {}]);

      expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429]);
    });
  });
});
