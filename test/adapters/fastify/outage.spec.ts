import {
  memoryStore,
  rateLimit,
  redisStore,
  type HookOptions,
  type RateLimitOptions,
  type Store,
} from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { closedPort } from '../../../packages/core/src/testing/internal/listener.js';
import { statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';
const hour = { limit: 6, window: '1h' } as const;

describe('the plugin for Fastify without its Redis', () => {
  const open = siteOpener();
  let dead: Store;

  beforeEach(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    dead = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dead.close();
  });

  async function appWith(options: object): Promise<FastifyInstance> {
    const app = fastify();
    await app.register(rateLimit, { store: dead, ...options } as RateLimitOptions);
    return app;
  }

  it.each<[string, object]>([
    ['limits', { ...hour, name: 'all', onStoreFailure: 'deny' }],
    ['limits nothing by itself', { global: false, onStoreFailure: 'deny' }],
  ])('makes routes and hooks deny when it %s and must deny', async (_what, options) => {
    const app = await appWith(options);
    app.get('/route', { config: { rateLimit: { ...hour, override: true } } }, served);
    app.get('/tiers', { config: { rateLimit: { tiers: [{ ...hour, name: 'tries' }], override: true } } }, served);
    app.get('/hook', { config: { rateLimit: false }, preHandler: app.rateLimit({ ...hour, name: 'hook' }) }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/route', '/tiers', '/hook'));

    expect(statusesOf(responses)).toEqual([503, 503, 503]);
  });

  it.each<[string, HookOptions]>([
    ['in short', { ...hour, onStoreFailure: 'deny' }],
    ['in tiers', { tiers: [{ ...hour, name: 'tries' }], onStoreFailure: 'deny' }],
    ['of a tier', { tiers: [{ ...hour, name: 'tries', onStoreFailure: 'deny' }] }],
    ['of a plan', { tiers: () => plan, onStoreFailure: 'deny' }],
  ])('goes on limiting except on a route that must deny: %s', async (_form, login) => {
    const app = await appWith({ ...hour, name: 'all', share: 1 / 3 });
    app.post('/login', { config: { rateLimit: login } }, served);
    app.get('/', served);
    const site = await open(app);

    const [denied, other] = await site.sendEach([{ method: 'POST', path: '/login' }, {}]);

    expect([denied!.status, denied!.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect([other!.status, other!.headers['x-ratelimit-limit']]).toEqual([200, '2']);
  });

  it('goes on limiting except in a hook that must deny', async () => {
    const app = await appWith({ ...hour, name: 'all' });
    app.post('/login', { preHandler: app.rateLimit({ ...hour, name: 'tries', onStoreFailure: 'deny' }) }, served);
    app.get('/', served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach([{ method: 'POST', path: '/login' }, {}]))).toEqual([503, 200]);
  });

  const plan = [{ ...hour, name: 'plan' }];

  it('passes its share to the limits below, except to those with their own', async () => {
    const app = await appWith({ global: false, share: 1 / 3 });
    app.get('/a', { config: { rateLimit: hour } }, served);
    app.get('/b', { config: { rateLimit: { ...hour, share: 1 / 2 } } }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/a', '/b'));

    expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['2', '3']);
  });

  it('does not pass onStoreFailure to a child that registers it again', async () => {
    const app = await appWith({ global: false, onStoreFailure: 'deny' });
    await app.register(async (child) => {
      await child.register(rateLimit, { global: false, store: dead, onStoreFailure: 'allow' });
      child.get('/child', { config: { rateLimit: hour } }, served);
    });
    app.get('/', { config: { rateLimit: hour } }, served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/child', '/')))).toEqual([200, 503]);
  });

  it('does not affect routes with another store', async () => {
    const app = await appWith({ global: false, onStoreFailure: 'deny' });
    app.get('/', { config: { rateLimit: { ...hour, store: memoryStore() } } }, served);
    const site = await open(app);

    expect((await site.send()).status).toBe(200);
  });

  it.each<[string, object, RegExp]>([
    ['onStoreFailure', { onStoreFailure: 'ask' }, /onStoreFailure must be one of "local", "allow", "deny", got "ask"$/],
    ['share', { share: 0 }, /share must be a number above 0 and at most 1, such as 1 \/ 3, got 0$/],
    ['share', { share: '1/3' }, /share must be a number above 0 and at most 1, such as 1 \/ 3, got "1\/3"$/],
  ])('rejects a mistake in %s, also of routes and hooks: %j', async (option, mistake, message) => {
    const wrong = { code: 'OPTION_INVALID', option, message: expect.stringMatching(message) as string };
    const app = await appWith({ global: false });

    const route = () => app.get('/', { config: { rateLimit: { ...hour, ...mistake } } }, served);
    const hook = () => app.rateLimit({ ...hour, name: 'hook', ...mistake });

    expect(route).toThrow(expect.objectContaining(wrong));
    expect(route).toThrow(/^route GET \/: /);
    expect(hook).toThrow(expect.objectContaining(wrong));
    await expect(appWith({ ...hour, name: 'all', ...mistake })).rejects.toMatchObject(wrong);
    await app.close();
  });
});
