import { memoryStore, rateLimit, type HookOptions, type RateLimitOptions } from '@sluice/fastify';
import { redisStore } from '@sluice/redis';
import type { FastifyInstance } from 'fastify';
import { closedPort } from '../../support/listener.js';
import { statusesOf } from '../../support/responses.js';
import { gets } from '../../support/site.js';
import { hourly, limited, opener, served } from './application.js';

const none = { global: false };
const deny = { onStoreFailure: 'deny' } as const;
const tries = hourly(6, { name: 'tries' });
const plan = [hourly(6, { name: 'plan' })];
const route = (rateLimit_: object) => ({ config: { rateLimit: rateLimit_ as HookOptions } });

/** The suite tests outages. These specs test how limits inherit `onStoreFailure` and `share`. */
describe('the plugin for Fastify without its Redis', () => {
  const open = opener();
  let dead: ReturnType<typeof redisStore>;

  beforeEach(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    dead = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` }, { connectDeadline: 50 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dead.close();
  });

  const opened = (options: object, after: (app: FastifyInstance) => unknown) =>
    open({ options: { store: dead, ...options }, after });

  it.each<[string, object]>([
    ['limits', hourly(6, { name: 'all', ...deny })],
    ['limits nothing by itself', { ...none, ...deny }],
  ])(
    'makes routes and hooks deny when it %s and must deny, but not those with another store',
    async (_what, options) => {
      const site = await opened(options, (app) => {
        app.get('/route', limited(6, { override: true }), served);
        app.get('/tiers', route({ tiers: [tries], override: true }), served);
        app.get('/hook', { config: { rateLimit: false }, preHandler: app.rateLimit(tries) }, served);
        app.get('/alive', limited(6, { override: true, store: memoryStore() }), served);
      });

      expect(statusesOf(await site.sendEach(gets('/route', '/tiers', '/hook', '/alive')))).toEqual([
        503, 503, 503, 200,
      ]);
    },
  );

  it.each<[string, object]>([
    ['in short', hourly(6, deny)],
    ['in tiers', { tiers: [tries], ...deny }],
    ['of a tier', { tiers: [{ ...tries, ...deny }] }],
    ['of a plan', { tiers: () => plan, ...deny }],
    ['of a hook', hourly(6, { name: 'hook', ...deny })],
  ])('limits other routes when one must deny: %s', async (form, login) => {
    const site = await opened(hourly(6, { name: 'all', share: 1 / 3 }), (app) =>
      app
        .post('/', form === 'of a hook' ? { preHandler: app.rateLimit(login as HookOptions) } : route(login), served)
        .get('/', served),
    );

    const [denied, other] = await site.sendEach([{ method: 'POST' }, {}]);

    expect([denied!.status, denied!.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
    expect([other!.status, other!.headers['x-ratelimit-limit']]).toEqual([200, '2']);
  });

  it('passes its share to the limits below, except to those with their own', async () => {
    const site = await opened({ ...none, share: 1 / 3 }, (app) =>
      app.get('/a', limited(6), served).get('/b', limited(6, { share: 1 / 2 }), served),
    );

    const responses = await site.sendEach(gets('/a', '/b'));

    expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['2', '3']);
  });

  it('does not pass onStoreFailure to a child that registers it again', async () => {
    const site = await opened({ ...none, ...deny }, (app) => {
      app.register(async (child) => {
        await child.register(rateLimit, { ...none, store: dead, onStoreFailure: 'allow' } as RateLimitOptions);
        child.get('/child', limited(6), served);
      });
      app.get('/', limited(6), served);
    });

    expect(statusesOf(await site.sendEach(gets('/child', '/')))).toEqual([200, 503]);
  });
});
