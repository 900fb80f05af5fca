import { memoryStore, rateLimit, type HookOptions, type RateLimitOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyServerOptions } from 'fastify';

const served = () => 'served';

const endless: Record<string, unknown> = {};
endless['endless'] = endless;

describe('A route', () => {
  async function appWith(options: RateLimitOptions, server?: FastifyServerOptions): Promise<FastifyInstance> {
    const app = fastify(server);
    await app.register(rateLimit, options);
    return app;
  }

  it.each<[string, unknown, RegExp]>([
    ['a limit that is none', { limit: 0.5, window: '1h' }, /limit must be/],
    ['a limit that is missing', {}, /limit must be/],
    ['an option that nobody knows', { limit: 1, window: '1h', limti: 1 }, /limti/],
    ['a hook that it cannot have', { limit: 1, window: '1h', hook: 'onSend' }, /hook must be one of .*got "onSend"/],
    [
      'an override that is none',
      { limit: 1, window: '1h', override: 'yes' },
      /override must be one of true, false, got "yes"/,
    ],
    ['a hook that cannot be written down', { limit: 1, window: '1h', hook: 1n }, /hook must be one of .*got 1/],
    ['an override that holds itself', { limit: 1, window: '1h', override: endless }, /override must be .*an object/],
    ['what is no object', true, /config\.rateLimit must be an object or false, got true/],
    ['a number that JSON does not know', 1n, /config\.rateLimit must be an object or false, got 1/],
    ['null', null, /config\.rateLimit must be an object or false, got null/],
    ['tiers beside a limit', { limit: 1, tiers: [] }, /limit/],
    ['headers that nobody knows', { limit: 1, window: '1h', headers: ['draft-12'] }, /headers\[0\] must be/],
  ])('refuses %s when it is added, and names itself', async (_what, wrong, message) => {
    const app = await appWith({ limit: 1, window: '1h' });

    const add = () => app.get('/search', { config: { rateLimit: wrong as RouteRateLimit } }, served);

    expect(add).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }));
    expect(add).toThrow(/^route GET \/search: /);
    await app.close();
  });

  it('refuses the numbers of a name that has others on the same store', async () => {
    const app = await appWith({ global: false, store: memoryStore() });
    const named = (limit: number) => ({ config: { rateLimit: { name: 'search', limit, window: '1h' } as const } });
    app.get('/a', named(1), served);

    expect(() => app.get('/b', named(2), served)).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN', message: expect.stringMatching(/^route GET \/b: /) }),
    );
    await app.close();
  });

  it('refuses the numbers of a name that has others in its scope, as it would in a store that was passed in', async () => {
    const app = await appWith({ name: 'search', limit: 1, window: '1h' });

    expect(() => app.get('/a', { config: { rateLimit: { name: 'search', limit: 2, window: '1h' } } }, served)).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_TAKEN', message: expect.stringMatching(/^route GET \/a: /) }),
    );
    await app.close();
  });

  it('names its constraints in a mistake', async () => {
    const app = await appWith({ global: false });

    expect(() =>
      app.get('/a', { constraints: { version: '1.0.0' }, config: { rateLimit: { limit: 0, window: '1h' } } }, served),
    ).toThrow(/^route GET \/a version=1\.0\.0: /);
    await app.close();
  });

  it.each<[string, RateLimitOptions]>([
    ['the limit of the plugin', { limit: 5, window: '1h' }],
    ['no limit', { global: false }],
  ])('is refused loudly beside %s when it was added before the plugin', async (_what, options) => {
    const app = fastify();
    app.register(rateLimit, options);
    const own: HookOptions = { limit: 1, window: '1h' };
    app.get('/search', { config: { rateLimit: own } }, served);
    app.get('/health', { config: { rateLimit: false } }, served);

    const answers = [await app.inject('/search'), await app.inject('/health')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 200]);
    expect(answers[0]!.json()).toMatchObject({
      message: expect.stringMatching(/^route GET \/search: .*await app\.register\(rateLimit/),
    });
    await app.close();
  });
});
