import { rateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { warningCatcher } from '../../support/warnings.js';
import { hourly, limited, served } from './application.js';

type Build = (app: FastifyInstance) => unknown;

const NO_ROUTE = [
  'SLUICE_NO_LIMITED_ROUTE',
  expect.stringMatching(/^rateLimit: the plugin limits no route, .*fastify-plugin/),
];

describe('a plugin of Fastify that limits no route', () => {
  const warnings = warningCatcher();

  const warned = async (build: Build) => {
    const app = fastify();
    await build(app);
    await app.ready();
    await app.close();
    return warnings();
  };

  /** What a file of `plugins/` exports without fastify-plugin. */
  const own = async (child: FastifyInstance) => await child.register(rateLimit, hourly(1));

  it.each<[string, Build]>([
    ['before the routes', async (app) => (await app.register(own), app.get('/', served))],
    ['after the routes', async (app) => (app.get('/', served), await app.register(own))],
    ['with a prefix', async (app) => (await app.register(own, { prefix: '/v1' }), app.get('/v1/cats', served))],
    [
      'beside the scope of the routes',
      async (app) => {
        await app.register(own);
        await app.register(async (child) => void child.get('/', served));
      },
    ],
    [
      'without a limit of its own',
      async (app) => {
        await app.register(async (child) => await child.register(rateLimit, { global: false }));
        app.get('/', served);
      },
    ],
    [
      'beside the handler of the root for 404',
      async (app) => (app.setNotFoundHandler(served), await app.register(own), app.get('/', served)),
    ],
  ])('is warned of at the start: %s', async (_where, build) => {
    expect(await warned(build)).toEqual([NO_ROUTE]);
  });

  it.each<[string, Build]>([
    ['in the root', async (app) => (await app.register(rateLimit, hourly(1)), app.get('/', served))],
    ['in the root, without a route', async (app) => app.register(rateLimit, hourly(1))],
    ['in an application without routes', async (app) => app.register(own)],
    ['wrapped with fastify-plugin', async (app) => (await app.register(fastifyPlugin(own)), app.get('/', served))],
    [
      'in the scope of its routes',
      async (app) => {
        app.get('/', served);
        await app.register(
          async (child) => (await child.register(rateLimit, hourly(1)), void child.get('/in', served)),
        );
      },
    ],
    [
      'behind the routes of its scope',
      async (app) => {
        app.get('/', served);
        await app.register(async (child) => await child.get('/in', served).register(rateLimit, hourly(1)));
      },
    ],
    [
      'around the scope of its routes',
      async (app) => {
        app.get('/', served);
        await app.register(async (child) => {
          await child.register(rateLimit, { global: false });
          await child.register(async (inner) => void inner.get('/in', limited(1), served));
        });
      },
    ],
    [
      'for a hook that is used elsewhere',
      async (app) => {
        await app.register(async (child) => {
          await child.register(rateLimit, { global: false });
          app.get('/', { onRequest: child.rateLimit(hourly(1)) }, served);
        });
      },
    ],
    [
      'for a handler of 404',
      async (app) => {
        app.get('/', served);
        await app.register(
          async (child) => (await child.register(rateLimit, hourly(1)), void child.setNotFoundHandler(served)),
        );
      },
    ],
    [
      'for a handler of 404 with a prefix',
      async (app) => {
        app.get('/', served);
        const build = async (child: FastifyInstance) => (
          await child.register(rateLimit, hourly(1)),
          void child.setNotFoundHandler(served)
        );
        await app.register(build, { prefix: '/v1' });
      },
    ],
  ])('is not warned of where it limits requests: %s', async (_where, build) => {
    expect(await warned(build)).toEqual([]);
  });
});

describe('the name of a limit in the config of a route of Fastify', () => {
  const warnings = warningCatcher();

  const warned = async (config: object) => {
    const app = fastify();
    await app.register(rateLimit, hourly(5));
    app.get('/search', { config }, served).get('/other', { config }, served);
    await app.ready();
    await app.close();
    return warnings();
  };

  it.each(['ratelimit', 'RateLimit', 'rate-limit', 'rate_limit', 'rateLimits'])('is warned of: %s', async (name) => {
    const text = `route GET /search: config.${name} has no effect: the name is rateLimit, as in config: { rateLimit: { … } }`;

    expect(await warned({ [name]: hourly(1) })).toEqual([['SLUICE_ROUTE_LIMIT_MISSPELT', text]]);
  });

  it.each<[string, object]>([
    ['the right one', { rateLimit: hourly(1) }],
    ['the right one beside that of another plugin', { rateLimit: hourly(1), ratelimit: true }],
    ['no limit', { rateLimit: false }],
    ['something else', { rate: 1, limit: 2, rateLimiter: 'a' }],
  ])('is not warned of: %s', async (_what, config) => {
    expect(await warned(config)).toEqual([]);
  });
});
