import { memoryStore, type RouteRateLimit } from '@sluice/fastify';
import type { FastifyInstance, FastifyServerOptions, HTTPMethods } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { hourly, limited, opener, served } from './application.js';

const none = { global: false };

describe('the limit of a Fastify route', () => {
  const open = opener();

  /** The name that the draft reports. */
  async function nameOf(route: object, path: string, prefix = '', headers = {}): Promise<unknown> {
    const site = await open({
      options: { ...none, headers: ['draft-11'], store: memoryStore() },
      after: (app) =>
        app.register(async (child) => void child.route({ ...limited(5), handler: served, ...route } as never), {
          prefix,
        }),
    });
    const { method } = route as { method: HTTPMethods | HTTPMethods[] };
    const response = await site.send({ path, method: [method].flat().at(-1)!, headers });
    expect(response.status).toBe(200);
    return membersOf(response, 'ratelimit')[0]?.name;
  }

  it.each<[string, HTTPMethods | HTTPMethods[], string, string, string]>([
    ['by its method and pattern', 'GET', '/items/:id', '/items/7', 'GET /items/:id'],
    ['by its methods', ['PUT', 'POST'], '/items', '/items', 'PUT,POST /items'],
    ['once for GET and HEAD', ['HEAD', 'GET'], '/items', '/items', 'GET /items'],
    ['by HEAD when it answers only that', 'HEAD', '/items', '/items', 'HEAD /items'],
    ['by a pattern with a wildcard', 'GET', '/files/*', '/files/a/b', 'GET /files/*'],
    ['with a pattern encoded', 'GET', '/:at(^\\d{2}$)', '/12', 'GET /:at(^%5Cd%7B2%7D$)'],
    ['with letters encoded', 'GET', '/caf\u00e9', '/caf%C3%A9', 'GET /caf%C3%A9'],
  ])('is named %s', async (_how, method, url, path, name) => {
    expect(await nameOf({ method, url }, path)).toBe(name);
    expect(await nameOf({ method, url }, `/v1${path}`, '/v1')).toBe(name.replace(' /', ' /v1/'));
  });

  it('is named by its options', async () => {
    expect(await nameOf({ method: 'GET', url: '/x', ...limited(5, { name: 'search' }) }, '/x')).toBe('search');
  });

  it('is named by a hash at the end of a long pattern, so that names stay unique', async () => {
    const long = `/${'long/'.repeat(20)}`;

    const [one, other] = [
      await nameOf({ method: 'GET', url: `${long}a` }, `${long}a`),
      await nameOf({ method: 'GET', url: `${long}b` }, `${long}b`),
    ];

    expect(one).toMatch(/^GET \/long\/.{1,60}~[\w-]{11}$/);
    expect(String(one)).toHaveLength(64);
    expect(one).not.toBe(other);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['the version', { version: '1.0.0' }, { 'accept-version': '1.x' }, 'GET /x version=1.0.0'],
    ['a pattern of hosts', { host: /^a\./ }, { host: 'a.example' }, 'GET /x host=/^a%5C./'],
    [
      'several, in a fixed order',
      { version: '1.0.0', host: 'a.example' },
      { host: 'a.example', 'accept-version': '1.0.0' },
      'GET /x host=a.example version=1.0.0',
    ],
  ])('is named with %s of its constraints', async (_which, constraints, headers, name) => {
    expect(await nameOf({ method: 'GET', url: '/x', constraints }, '/x', '', headers)).toBe(name);
  });

  it('is named ALL with every method, which it counts together', async () => {
    const site = await open({
      options: { ...none, headers: ['draft-11'] },
      after: (app) => app.all('/any', limited(5), served),
    });

    const responses = await site.sendEach([{ path: '/any' }, { path: '/any', method: 'DELETE' }]);

    expect(membersOf(responses[1]!, 'ratelimit')).toMatchObject([{ name: 'ALL /any', r: 3 }]);
  });

  it.each<[string, FastifyServerOptions, (app: FastifyInstance, config: object) => unknown]>([
    ['exposed by default', {}, (app, config) => app.get('/', { config }, served)],
    [
      'exposed by the route',
      { exposeHeadRoutes: false },
      (app, config) => app.get('/', { exposeHeadRoute: true, config }, served),
    ],
    [
      'with several methods',
      {},
      (app, config) => app.route({ method: ['GET', 'POST'], url: '/', config, handler: served }),
    ],
    [
      'in an earlier route with the same config',
      {},
      (app, config) => app.head('/', { config }, served).get('/', { config }, served),
    ],
  ])('counts HEAD with GET, once, %s', async (_how, server, add) => {
    const rateLimit: RouteRateLimit = hourly(3);
    const site = await open({ server, options: none, after: (app) => add(app, { rateLimit }) });

    const responses = await site.sendEach([{}, { method: 'HEAD' }, {}, { method: 'HEAD' }]);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
  });

  it.each<[string, object]>([
    ['the store of its scope', none],
    ['a store that was passed in', { ...none, store: memoryStore() }],
  ])('counts HEAD apart with a config of its own, and each constraint of a path, in %s', async (_which, options) => {
    const same = limited(1);
    const site = await open({
      options,
      after: (app) =>
        app
          .head('/', limited(1), served)
          .get('/', limited(2), served)
          .get('/x', { ...same, constraints: { version: '1.0.0' } }, served)
          .get('/x', { ...same, constraints: { version: '2.0.0' } }, served)
          .get('/x', { ...limited(2), constraints: { host: 'a.example' } }, served),
    });
    const [head, version1, version2, host] = [
      { method: 'HEAD' },
      { path: '/x', headers: { 'accept-version': '1.x' } },
      { path: '/x', headers: { 'accept-version': '2.x' } },
      { path: '/x', headers: { host: 'a.example' } },
    ];

    const heads = await site.sendEach([head, {}, {}, head, {}]);
    const constrained = await site.sendEach([
      version1,
      version2,
      host,
      { ...version1, method: 'HEAD' },
      version2,
      host,
      host,
    ]);

    expect(statusesOf(heads)).toEqual([200, 200, 200, 429, 429]);
    expect(statusesOf(constrained)).toEqual([200, 200, 200, 429, 429, 200, 429]);
  });
});
