import { channel, subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel';
import { rateLimit as limitOfExpress } from '@sluice/express';
import { memoryStore, rateLimit, type HookOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify } from 'fastify';
import { warningCatcher } from '../../support/warnings.js';
import { build, hourly, limited, local, served } from './application.js';

/** The listener that sees every application that is created. */
const CHECK = Symbol.for('sluice.fastify.check');

const OTHER_HOOKS = [
  'preParsing',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
  'onTimeout',
  'onRequestAbort',
] as const;

const endless: Record<string, unknown> = {};
endless['endless'] = endless;

describe('a mistake in an application of Fastify', () => {
  const warnings = warningCatcher();

  it('fails each request with what to write: the middleware of Express as a hook', async () => {
    const app = fastify();
    app.addHook('onRequest', limitOfExpress({ limit: 5, window: '1m' }) as never);
    app.get('/', served);

    const responses = [await app.inject('/'), await app.inject('/')];

    const message = expect.stringContaining('on Fastify use @sluice/fastify: await app.register(');
    expect(responses.map((response) => response.json())).toEqual(
      responses.map(() => expect.objectContaining({ statusCode: 500, message })),
    );
    await app.close();
  });

  it.each<[string, object, string]>([
    ['an invalid limit', hourly(-1), 'limit'],
    ['an unknown option', hourly(1, { limti: 2 }), 'limti'],
    ['an unsupported hook', hourly(1, { hook: 'onSend' }), 'hook'],
    ['a text for global', hourly(1, { global: 'false' }), 'global'],
    ['an option of @fastify/rate-limit', { max: 5, timeWindow: 1_000 }, 'max'],
    ['null for global', { global: null }, 'global'],
    ['limits that global: false would ignore', hourly(1, { global: false }), 'limit'],
    ['a store without a name for its tier', hourly(1, { store: memoryStore() }), 'name'],
  ])('stops the start: %s', async (_what, options, option) => {
    await expect(build({ options })).rejects.toMatchObject({ name: 'ConfigError', option });
  });

  it.each<[string, unknown, RegExp]>([
    ['an invalid limit', hourly(0.5), /limit must be/],
    ['an unknown option', hourly(1, { limti: 1 }), /limti/],
    ['an unsupported hook', hourly(1, { hook: 'onSend' }), /hook must be one of .*got "onSend"/],
    ['a hook without a JSON form', hourly(1, { hook: 1n }), /hook must be one of .*got the bigint 1n/],
    ['an invalid override', hourly(1, { override: 'yes' }), /override must be one of true, false, got "yes"/],
    ['a circular override', hourly(1, { override: endless }), /override must be .*an object/],
    ['a boolean', true, /config\.rateLimit must be an object or false, got true/],
    ['a bigint', 1n, /config\.rateLimit must be an object or false, got the bigint 1n/],
    ['null', null, /config\.rateLimit must be an object or false, got null/],
    ['unknown headers', hourly(1, { headers: ['draft-12'] }), /headers\[0\] must be/],
    ['max', { max: 5, window: '1m' }, /rateLimit: max is called limit here/],
    ['errorResponseBuilder', hourly(1, { errorResponseBuilder: served }), /errorResponseBuilder is called body here/],
    ['allowList', hourly(1, { allowList: ['::1'] }), /allowList is not an option here: use allow for addresses/],
    ['an invalid share', hourly(1, { share: 0 }), /share must be a number above 0/],
  ])('is thrown when the route is added, with its name: %s', async (_what, wrong, message) => {
    const app = await build({ options: hourly(1) });

    const add = () => app.get('/search', { config: { rateLimit: wrong as RouteRateLimit } }, served);

    expect(add).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }));
    expect(add).toThrow(/^route GET \/search: /);
    await app.close();
  });

  it.each<[string, unknown]>([
    ['a limit', hourly(1)],
    ['false', false],
  ])('is thrown for %s beside the config of a route', async (_what, wrong) => {
    const app = await build({ options: hourly(5) });

    expect(() => app.get('/search', { rateLimit: wrong } as object, served)).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        code: 'OPTION_UNKNOWN',
        message: 'route GET /search: rateLimit is not an option of a route: write config: { rateLimit: … }',
      }),
    );
    await app.close();
  });

  it('stops the start for a plugin that the application calls itself', async () => {
    const app = fastify();
    const call = rateLimit as unknown as (options: object) => Promise<void>;

    const register = async () => app.register(call(hourly(5)) as never);

    await expect(register()).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('write app.register(rateLimit, { … }), not rateLimit({ … })'),
    });
    await app.close();
  });

  it('stops the start for an option of @fastify/rate-limit beside global: false', async () => {
    const options = { global: false, redis: {} };

    await expect(build({ options })).rejects.toThrow(
      'rateLimit: redis is not an option here: use store: redisStore({ url })',
    );
  });

  it.each<[string, object]>([
    ['on the same store', { global: false, store: memoryStore() }],
    ['in the same scope', { global: false }],
  ])('is thrown for a name with other numbers %s', async (_where, options) => {
    const app = await build({ options, after: (each) => each.get('/a', limited(1, { name: 'search' }), served) });

    expect(() => app.get('/b', limited(2, { name: 'search' }), served)).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN', message: expect.stringMatching(/^route GET \/b: /) }),
    );
    await app.close();
  });

  it('is thrown with the constraints of the route', async () => {
    const app = await build({ options: { global: false } });

    expect(() => app.get('/a', { constraints: { version: '1.0.0' }, ...limited(0) }, served)).toThrow(
      /^route GET \/a version=1\.0\.0: /,
    );
    await app.close();
  });

  it.each<[string, object]>([
    ['the limit of the plugin', hourly(5)],
    ['no limit', { global: false }],
  ])('stops the start with a route that was added before the plugin, next to %s', async (_what, options) => {
    const app = await build({ before: (each) => each.get('/search', limited(1), served), options });

    await expect(app.ready()).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      option: 'config.rateLimit',
      message: expect.stringMatching(/^route GET \/search: .*await app\.register\(rateLimit/),
    });
    await app.close();
  });

  it.each<[string, object]>([
    ['the limit of the plugin', hourly(5)],
    ['no limit', { global: false }],
  ])('fails requests of such a route in an application older than the package, next to %s', async (_what, options) => {
    const created = channel('fastify.initialization') as { [CHECK]?: ChannelListener };
    unsubscribe('fastify.initialization', created[CHECK]!);
    const app = await build({
      before: (each) =>
        each.get('/search', limited(1), served).get('/health', { config: { rateLimit: false } }, served),
      options,
    });
    subscribe('fastify.initialization', created[CHECK]!);

    const responses = [await app.inject('/search'), await app.inject('/health')];

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
    expect(responses[0]!.json()).toMatchObject({
      message: expect.stringMatching(/^route GET \/search: .*await app\.register\(rateLimit/),
    });
    await app.close();
  });

  it.each<[string, unknown, object]>([
    ['an invalid limit', hourly(-1), { option: 'limit' }],
    ['no options', undefined, { message: expect.stringMatching(/options must be an object/) }],
    ['an object that is not a limiter', { limiter: {} }, { option: 'limiter' }],
    ['no name on a store that was passed in', hourly(1), { code: 'TIER_NAME_REQUIRED' }],
  ])('is thrown by app.rateLimit: %s', async (what, options, error) => {
    const store = what.startsWith('no name') ? { store: memoryStore() } : {};
    const app = await build({ options: { global: false, ...store } });

    expect(() => app.rateLimit(options as HookOptions)).toThrow(expect.objectContaining(error));
    await app.close();
  });

  it.each(OTHER_HOOKS)('is thrown for a route with a hook of app.rateLimit as %s', async (when) => {
    const app = await build({ options: { global: false } });
    const hook = app.rateLimit(hourly(1));

    expect(() => app.get('/', { [when]: [() => {}, hook] }, served)).toThrow(
      `route GET /: ${when} cannot be a hook of app.rateLimit, which runs in onRequest, preValidation, preHandler`,
    );
    await app.close();
  });

  it.each(['preParsing', 'preSerialization', 'onSend'] as const)(
    'fails requests if a hook of app.rateLimit is added as %s',
    async (when) => {
      const app = await build({ options: { global: false } });
      const hook = app.rateLimit(hourly(1));
      app.addHook(when as 'onSend', hook as never);
      app.post('/', () => ({ served: true }));

      const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload: {} });

      expect([statusCode, body]).toEqual([
        500,
        expect.stringContaining("write app.addHook('preHandler', app.rateLimit("),
      ]);
      expect((await hook.limiter.peek(local)).binding).toMatchObject({ remaining: 1 });
      await app.close();
    },
  );

  it.each(['onResponse', 'onError'] as const)(
    'gives a warning if a hook of app.rateLimit is added as %s',
    async (when) => {
      const app = await build({ options: { global: false } });
      app.addHook(when as 'onResponse', app.rateLimit(hourly(1)));
      app.get('/', () => {
        throw new Error('a broken handler');
      });

      await app.inject('/');
      await app.inject('/');

      expect(warnings()).toEqual([
        ['SLUICE_WRONG_FASTIFY_HOOK', expect.stringContaining("write app.addHook('preHandler', app.rateLimit(")],
      ]);
      await app.close();
    },
  );

  it('is logged if a hook of app.rateLimit is added as onResponse', async () => {
    const lines: string[] = [];
    const server = { logger: { stream: { write: (line: string) => lines.push(line) } } };
    const app = await build({ options: { global: false }, server });
    app.addHook('onResponse', app.rateLimit(hourly(1)));
    app.get('/', served);

    await app.inject('/');

    expect(lines.join('')).toContain("write app.addHook('preHandler', app.rateLimit(");
    await app.close();
  });
});
