import { createLimiter, byIp, memoryStore, rateLimit, type HttpRequest, type RateLimitOptions } from '@sluice/fastify';
import { fastify, type FastifyRequest } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { signal } from '../../support/signal.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('the plugin for Fastify', () => {
  const open = siteOpener();

  it('limits every route of its scope by address, also earlier routes', async () => {
    const app = fastify();
    app.get('/before', served);
    await app.register(rateLimit, { limit: 2, window: '1h' });
    app.get('/after', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/before', '/after', '/before'));

    expect(statusesOf(responses)).toEqual([200, 200, 429]);
    expect(remainingOf(responses)).toEqual([1, 0, 0]);
  });

  it('rejects when another plugin has decorated rateLimit', async () => {
    const app = fastify().decorate('rateLimit', (() => 'theirs') as never);

    const registered = async () => {
      await app.register(rateLimit, { limit: 1, window: '1h' });
    };

    await expect(registered()).rejects.toMatchObject({ code: 'FST_ERR_DEC_ALREADY_PRESENT' });
  });

  it('limits injected requests', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 1, window: '1h' });
    app.get('/', served);

    const responses = [await app.inject('/'), await app.inject('/')];

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 429]);
    expect(responses[1]!.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      'cache-control': 'no-store',
    });
    expect(responses[1]!.json()).toMatchObject({ status: 429 });
    await app.close();
  });

  it('limits its scope, and neither its parent nor its siblings', async () => {
    const app = fastify();
    app.register(async (limited) => {
      await limited.register(rateLimit, { limit: 1, window: '1h' });
      limited.get('/limited', served);
      limited.register(async (inner) => void inner.get('/limited/inner', served));
    });
    app.register(async (sibling) => void sibling.get('/sibling', served));
    app.get('/parent', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/limited', '/limited/inner', '/sibling', '/parent', '/sibling'));

    expect(statusesOf(responses)).toEqual([200, 429, 200, 200, 200]);
    expect(remainingOf(responses)).toEqual([0, 0, undefined, undefined, undefined]);
  });

  it('counts in a child scope in addition to its parent, and reports both', async () => {
    const store = memoryStore();
    const app = fastify();
    await app.register(rateLimit, { store, name: 'parent', limit: 10, window: '1h', headers: ['draft-11'] });
    app.register(async (child) => {
      await child.register(rateLimit, { store, name: 'child', limit: 2, window: '1h', headers: ['draft-11'] });
      child.get('/child', served);
    });
    app.get('/parent', served);
    const site = await open(app);

    const [parent, ...children] = await site.sendEach(gets('/parent', '/child', '/child', '/child'));

    expect(membersOf(parent!, 'ratelimit')).toMatchObject([{ name: 'parent', r: 9 }]);
    expect(membersOf(children[0]!, 'ratelimit')).toMatchObject([
      { name: 'parent', r: 8 },
      { name: 'child', r: 1 },
    ]);
    expect(statusesOf(children)).toEqual([200, 200, 429]);
  });

  it('keeps the budgets of two children apart', async () => {
    const app = fastify();
    for (const name of ['one', 'two']) {
      app.register(async (child) => {
        await child.register(rateLimit, { limit: 1, window: '1h' });
        child.get(`/${name}`, served);
      });
    }
    const site = await open(app);

    const responses = await site.sendEach(gets('/one', '/two', '/one', '/two'));

    expect(statusesOf(responses)).toEqual([200, 200, 429, 429]);
  });

  it('counts every registration of one scope', async () => {
    const app = fastify();
    await app.register(rateLimit, { name: 'a', limit: 5, window: '1h', headers: ['draft-11'] });
    await app.register(rateLimit, { name: 'b', limit: 2, window: '1h', headers: ['draft-11'] });
    app.get('/', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/', '/', '/'));

    expect(statusesOf(responses)).toEqual([200, 200, 429]);
    expect(membersOf(responses[0]!, 'ratelimit')).toMatchObject([
      { name: 'a', r: 4 },
      { name: 'b', r: 1 },
    ]);
  });

  it('limits no route by itself with global: false', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false });
    app.get('/', served);
    app.get('/search', { config: { rateLimit: { limit: 1, window: '1h' } } }, served);
    app.get('/login', { onRequest: app.rateLimit({ limit: 1, window: '1h' }) }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/', '/', '/search', '/search', '/login', '/login', '/nowhere'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 200, 429, 404]);
    expect(remainingOf(responses)).toEqual([undefined, undefined, 0, 0, 0, 0, undefined]);
  });

  it('accepts a shared limiter, and does not close it', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 2, window: '1h' });
    const apps = [fastify(), fastify()];
    for (const app of apps) {
      await app.register(rateLimit, { limiter });
      app.get('/', served);
    }

    const statuses = [await apps[0]!.inject('/'), await apps[1]!.inject('/'), await apps[0]!.inject('/')];
    await Promise.all(apps.map((app) => app.close()));

    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(await limiter.peek({ ip: '127.0.0.1' })).toMatchObject({ allowed: false });
  });

  it('makes hooks of child scopes with the options of the child', async () => {
    const app = fastify();
    await app.register(rateLimit, { global: false, body: 'of the parent' });
    app.register(async (child) => {
      await child.register(rateLimit, { global: false, body: 'of the child' });
      child.get('/child', { onRequest: child.rateLimit({ limit: () => 0, window: '1h' }) }, served);
    });
    app.register(async (sibling) => {
      sibling.get('/sibling', { onRequest: sibling.rateLimit({ limit: () => 0, window: '1h' }) }, served);
    });
    const site = await open(app);

    const responses = await site.sendEach(gets('/child', '/sibling'));

    expect(responses.map(({ text }) => text)).toEqual(['of the child', 'of the parent']);
  });

  it.each<[string, object, string]>([
    ['an invalid limit', { limit: -1, window: '1h' }, 'limit'],
    ['an unknown option', { limit: 1, window: '1h', limti: 2 }, 'limti'],
    ['an unsupported hook', { limit: 1, window: '1h', hook: 'onSend' }, 'hook'],
    ['a hook without a JSON form', { limit: 1, window: '1h', hook: 1n }, 'hook'],
    ['a text for global', { limit: 1, window: '1h', global: 'false' }, 'global'],
    ['a number for global', { global: 0 }, 'global'],
    ['null for global', { global: null }, 'global'],
    ['limits that global: false would ignore', { global: false, limit: 1, window: '1h' }, 'limit'],
    ['a store without a name for its tier', { store: memoryStore(), limit: 1, window: '1h' }, 'name'],
  ])('stops the start for %s', async (_what, options, option) => {
    const app = fastify();

    const registered = app.register(rateLimit, options as RateLimitOptions).after() as unknown as Promise<void>;

    await expect(Promise.resolve(registered)).rejects.toMatchObject({ name: 'ConfigError', option });
  });

  it('counts in the hook of its options', async () => {
    const order: string[] = [];
    const app = fastify();
    const key = () => {
      order.push('counted');
      return 'all';
    };
    app.addHook('preValidation', async () => void order.push('preValidation'));
    await app.register(rateLimit, { limit: 1, window: '1h', hook: 'preHandler', key });
    app.addHook('preHandler', async () => void order.push('preHandler'));
    app.get('/', served);

    await app.inject('/');

    expect(order).toEqual(['preValidation', 'counted', 'preHandler']);
    await app.close();
  });

  it('closes its own limiters when the app closes, after the last request', async () => {
    const store = memoryStore();
    const [entered, released] = [signal(), signal()];
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h' });
    const own = app.rateLimit({ limit: 5, window: '1h' });
    const kept = app.rateLimit({ store, name: 'kept', limit: 5, window: '1h' });
    app.get('/', { preHandler: [own, kept] }, async () => {
      entered.give();
      await released.given;
      return 'served';
    });
    const site = await open(app);
    const last = site.send();
    await entered.given;

    const closing = app.close();
    released.give();
    const response = await last;
    await closing;

    expect(response).toMatchObject({ status: 200, text: 'served' });
    const refused = async () => own.limiter.peek({ ip: '192.0.2.1' } as FastifyRequest);
    await expect(refused()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    expect(await kept.limiter.peek({ ip: '127.0.0.1' } as FastifyRequest)).toMatchObject({
      allowed: true,
      outcomes: [{ remaining: 4 }],
    });
  });
});
