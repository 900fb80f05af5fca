import { memoryStore, rateLimit, type HookOptions, type RateLimitOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';

const served = () => 'served';

const endless: Record<string, unknown> = {};
endless['endless'] = endless;

describe('config.rateLimit of a Fastify route', () => {
  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  it.each<[string, unknown, RegExp]>([
    ['an invalid limit', { limit: 0.5, window: '1h' }, /limit must be/],
    ['a missing limit', {}, /limit must be/],
    ['an unknown option', { limit: 1, window: '1h', limti: 1 }, /limti/],
    ['an unsupported hook', { limit: 1, window: '1h', hook: 'onSend' }, /hook must be one of .*got "onSend"/],
    [
      'an invalid override',
      { limit: 1, window: '1h', override: 'yes' },
      /override must be one of true, false, got "yes"/,
    ],
    ['a hook without a JSON form', { limit: 1, window: '1h', hook: 1n }, /hook must be one of .*got 1/],
    ['a circular override', { limit: 1, window: '1h', override: endless }, /override must be .*an object/],
    ['a boolean', true, /config\.rateLimit must be an object or false, got true/],
    ['a bigint', 1n, /config\.rateLimit must be an object or false, got 1/],
    ['null', null, /config\.rateLimit must be an object or false, got null/],
    ['tiers next to a limit', { limit: 1, tiers: [] }, /limit/],
    ['unknown headers', { limit: 1, window: '1h', headers: ['draft-12'] }, /headers\[0\] must be/],
  ])('throws for %s when the route is added, and names the route', async (_what, wrong, message) => {
    const app = await appWith({ limit: 1, window: '1h' });

    const add = () => app.get('/search', { config: { rateLimit: wrong as RouteRateLimit } }, served);

    expect(add).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }));
    expect(add).toThrow(/^route GET \/search: /);
    await app.close();
  });

  it('throws for a name with other numbers on the same store', async () => {
    const app = await appWith({ global: false, store: memoryStore() });
    const named = (limit: number) => ({ config: { rateLimit: { name: 'search', limit, window: '1h' } as const } });
    app.get('/a', named(1), served);

    expect(() => app.get('/b', named(2), served)).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN', message: expect.stringMatching(/^route GET \/b: /) }),
    );
    await app.close();
  });

  it('throws for a name with other numbers in the same scope', async () => {
    const app = await appWith({ name: 'search', limit: 1, window: '1h' });

    expect(() => app.get('/a', { config: { rateLimit: { name: 'search', limit: 2, window: '1h' } } }, served)).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN', message: expect.stringMatching(/^route GET \/a: /) }),
    );
    await app.close();
  });

  it('names the constraints of the route in an error', async () => {
    const app = await appWith({ global: false });

    expect(() =>
      app.get('/a', { constraints: { version: '1.0.0' }, config: { rateLimit: { limit: 0, window: '1h' } } }, served),
    ).toThrow(/^route GET \/a version=1\.0\.0: /);
    await app.close();
  });

  it.each<[string, RateLimitOptions]>([
    ['the limit of the plugin', { limit: 5, window: '1h' }],
    ['no limit', { global: false }],
  ])('fails requests of a route that was added before the plugin, next to %s', async (_what, options) => {
    const app = fastify();
    app.register(rateLimit, options);
    const own: HookOptions = { limit: 1, window: '1h' };
    app.get('/search', { config: { rateLimit: own } }, served);
    app.get('/health', { config: { rateLimit: false } }, served);

    const responses = [await app.inject('/search'), await app.inject('/health')];

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
    expect(responses[0]!.json()).toMatchObject({
      message: expect.stringMatching(/^route GET \/search: .*await app\.register\(rateLimit/),
    });
    await app.close();
  });
});
