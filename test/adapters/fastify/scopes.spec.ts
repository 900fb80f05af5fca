import {
  byIp,
  createLimiter,
  memoryStore,
  rateLimit,
  type HttpRequest,
  type RateLimitHook,
  type RateLimitOptions,
} from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { isFastifyFrom } from '../../support/fastify-version.js';
import { RemoteStore } from '../../support/remote-store.js';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { signal } from '../../support/signal.js';
import { gets, type TestRequest } from '../../support/site.js';
import { build, hourly, limited, local, opener, served, type Application } from './application.js';

const none = { global: false };
const gone = (app: FastifyInstance) =>
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));

/** Registers the plugin in a child scope. */
const child = (app: FastifyInstance, options: object, add: (child: FastifyInstance) => unknown, prefix = '') =>
  app.register(
    async (scope) => {
      await scope.register(rateLimit, options as RateLimitOptions);
      add(scope);
    },
    { prefix },
  );

describe('the plugin for Fastify', () => {
  const open = opener();

  it.each<[string, Application, readonly TestRequest[], number[]]>([
    [
      'limits every route of its scope together, also earlier routes',
      {
        before: (app) => app.get('/before', served),
        options: hourly(2),
        after: (app) => app.get('/after', served),
      },
      gets('/before', '/after', '/before'),
      [200, 200, 429],
    ],
    [
      'limits its scope and the scopes in it, and neither its parent nor its siblings',
      {
        after: (app) => {
          child(app, hourly(1), (scope) => {
            scope.get('/in', served);
            scope.register(async (inner) => void inner.get('/in/in', served));
          });
          app.register(async (sibling) => void sibling.get('/sibling', served));
          app.get('/parent', served);
        },
      },
      gets('/in', '/in/in', '/sibling', '/parent', '/sibling', '/parent'),
      [200, 429, 200, 200, 200, 200],
    ],
    [
      'limits no route by itself with global: false',
      {
        options: none,
        after: (app) =>
          app
            .get('/', served)
            .get('/route', limited(1), served)
            .get('/hook', { onRequest: app.rateLimit(hourly(1)) }, served),
      },
      gets('/', '/', '/route', '/route', '/hook', '/hook', '/nowhere', '/nowhere'),
      [200, 200, 200, 429, 200, 429, 404, 404],
    ],
    [
      'has another memory store in each child scope and for each registration',
      {
        options: hourly(3),
        before: (app) => app.register(rateLimit, hourly(4)),
        after: (app) => {
          for (const path of ['/one', '/two']) child(app, hourly(1), (scope) => scope.get(path, served));
          app.get('/', served);
        },
      },
      gets('/one', '/two', '/one', '/'),
      [200, 200, 429, 429],
    ],
    [
      'has one memory store for the routes of a scope next to a shared limiter',
      {
        options: { limiter: createLimiter<HttpRequest>({ key: byIp(), ...hourly(5) }) },
        after: (app) =>
          app.get('/a', limited(1, { name: 'own' }), served).get('/b', limited(1, { name: 'own' }), served),
      },
      gets('/a', '/b'),
      [200, 429],
    ],
    ['counts unknown paths', { options: hourly(1) }, gets('/nowhere', '/elsewhere'), [404, 429]],
    [
      'counts unknown paths in preHandler',
      { options: hourly(1, { hook: 'preHandler' }) },
      gets('/nowhere', '/elsewhere'),
      [404, 429],
    ],
    [
      'counts unknown paths with a later handler for them',
      { options: hourly(1), after: gone },
      gets('/nowhere', '/elsewhere'),
      [404, 429],
    ],
    [
      'counts unknown paths with an earlier handler for them',
      { before: gone, options: hourly(1) },
      gets('/nowhere', '/elsewhere'),
      [404, 429],
    ],
    [
      'counts unknown paths of its prefix, and no others',
      { after: (app) => child(app, hourly(1), gone, '/v1') },
      gets('/v1/nowhere', '/elsewhere', '/v1/nowhere', '/elsewhere'),
      [404, 404, 429, 404],
    ],
    [
      'counts unknown paths by a hook of their handler',
      {
        options: none,
        after: (app) => {
          app.setNotFoundHandler({ preHandler: app.rateLimit(hourly(1)) }, (_request, reply) =>
            reply.code(404).send(''),
          );
          app.get('/', served);
        },
      },
      gets('/nowhere', '/', '/', '/elsewhere'),
      [404, 200, 200, 429],
    ],
    [
      'counts a request with callNotFound once',
      { options: hourly(2), after: (app) => app.get('/:id', (_request, reply) => reply.callNotFound()) },
      gets('/1', '/2', '/3'),
      [404, 404, 429],
    ],
    [
      'counts a request with a malformed body',
      { options: hourly(1), after: (app) => app.post('/', served) },
      Array.from({ length: 2 }, () => ({
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      })),
      [400, 429],
    ],
  ])('%s', async (_what, application, requests, statuses) => {
    const site = await open(application);

    expect(statusesOf(await site.sendEach(requests))).toEqual(statuses);
  });

  it('counts in a child scope in addition to its parent, and reports both', async () => {
    const named = (name: string, limit: number) => hourly(limit, { store, name, headers: ['draft-11'] });
    const store = memoryStore();
    const site = await open({
      options: named('parent', 10),
      after: (app) => {
        child(app, named('child', 2), (scope) => scope.get('/child', served));
        app.get('/parent', served);
      },
    });

    const [parent, ...children] = await site.sendEach(gets('/parent', '/child', '/child', '/child'));

    expect(membersOf(parent!, 'ratelimit')).toMatchObject([{ name: 'parent', r: 9 }]);
    expect(membersOf(children[0]!, 'ratelimit')).toMatchObject([
      { name: 'parent', r: 8 },
      { name: 'child', r: 1 },
    ]);
    expect(statusesOf(children)).toEqual([200, 200, 429]);
  });

  it('makes hooks of a child scope with the options of the child', async () => {
    const never = { limit: () => 0, window: '1h' } as const;
    const site = await open({
      options: { ...none, body: 'of the parent' },
      after: (app) => {
        child(app, { ...none, body: 'of the child' }, (scope) =>
          scope.get('/child', { onRequest: scope.rateLimit(never) }, served),
        );
        app.register(async (scope) => void scope.get('/sibling', { onRequest: scope.rateLimit(never) }, served));
      },
    });

    const responses = await site.sendEach(gets('/child', '/sibling'));

    expect(responses.map(({ text }) => text)).toEqual(['of the child', 'of the parent']);
  });

  it('counts in the hook of its options', async () => {
    const order: string[] = [];
    const key = () => (order.push('counted'), 'all');
    const app = await build({
      before: (early) => early.addHook('preValidation', async () => void order.push('preValidation')),
      options: hourly(1, { hook: 'preHandler', key }),
      after: (late) => late.addHook('preHandler', async () => void order.push('preHandler')).get('/', served),
    });

    await app.inject('/');
    await app.close();

    expect(order).toEqual(['preValidation', 'counted', 'preHandler']);
  });

  it('limits and refunds requests that are injected', async () => {
    const refundWhen = (status: number) => status === 500;
    const app = await build({
      options: hourly(2, { refundWhen }),
      after: (each) => each.get('/', served).get('/broken', (_request, reply) => reply.code(500).send('broken')),
    });

    const responses = [];
    for (const path of ['/', '/broken', '/', '/']) responses.push(await app.inject(path));
    await app.close();

    const denied = responses.pop()!;
    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0']);
    expect([denied.statusCode, denied.json()]).toMatchObject([429, { status: 429 }]);
    expect(denied.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      'cache-control': 'no-store',
    });
  });

  it('accepts a shared limiter, and does not close it', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), ...hourly(2) });
    const sharing = () => build({ options: { limiter }, after: (app) => app.get('/', served) });
    const apps = [await sharing(), await sharing()];

    const responses = [await apps[0]!.inject('/'), await apps[1]!.inject('/'), await apps[0]!.inject('/')];
    await Promise.all(apps.map((app) => app.close()));

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(await limiter.peek(local)).toMatchObject({ allowed: false });
  });

  it('closes its memory store, and no other, when the app closes, after the last request', async () => {
    const [entered, released] = [signal(), signal()];
    let hooks: RateLimitHook[] = [];
    const app = await build({
      options: hourly(5),
      after: (each) => {
        hooks = [{}, { name: 'default' }, { name: 'other', store: memoryStore() }].map((more) =>
          each.rateLimit(hourly(5, more)),
        );
        each.get('/', { preHandler: hooks }, async () => {
          entered.give();
          await released.given;
          return 'served';
        });
      },
    });
    const last = app.inject('/');
    await entered.given;
    const [own, same, other] = hooks.map(({ limiter }) => limiter);
    // The plugin and a hook with the name of its tier have charged one budget.
    expect(await same!.peek(local)).toMatchObject({ outcomes: [{ tier: 'default', remaining: 3 }] });

    const closing = app.close();
    released.give();

    expect(await last).toMatchObject({ statusCode: 200, body: 'served' });
    await closing;
    for (const limiter of [own!, same!]) {
      await expect((async () => limiter.peek(local))()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }
    expect(await other!.peek(local)).toMatchObject({ outcomes: [{ remaining: 4 }] });
  });

  it('gives leased units back when the app closes', async () => {
    // A key is hot from 128 requests in a second on, which a busy machine takes longer for.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const store = new RemoteStore();
    const app = await build({
      options: hourly(1_000, { store, name: 'leased', lease: { units: 10, duration: '1m' } }),
      after: (each) => each.get('/', served),
    });
    for (let request = 0; request < 160; request += 1) await app.inject('/');
    const claim = store.groups[0]![0]!;
    expect(store.used(claim)).toBeGreaterThan(160);

    await app.close();
    clock.mockRestore();

    expect(store.used(claim)).toBe(160);
  });

  it('rejects when another plugin has decorated rateLimit', async () => {
    const app = fastify().decorate('rateLimit', (() => 'theirs') as never);

    const registered = async () => app.register(rateLimit, hourly(1));

    await expect(registered()).rejects.toMatchObject({ code: 'FST_ERR_DEC_ALREADY_PRESENT' });
  });
});

describe('the plugin for Fastify with trustProxy', () => {
  const open = opener();

  // Some of these settings cause warnings, which have a spec of their own.
  beforeEach(() => jest.spyOn(process, 'emitWarning').mockReturnValue());
  afterEach(() => jest.restoreAllMocks());

  const addresses = ['203.0.113.9', '6.6.6.6, 203.0.113.9', '6.6.6.7,203.0.113.9', '203.0.113.10', 'evil', ''];
  const ofPeer = [8, 7, 6, 5, 4, 3, 2];
  const ofClient = [8, 8, 7, 6, 8, 8, 7];

  it.each<[string, unknown, number[]]>([
    ['false, counts the peer', false, ofPeer],
    ['another address, counts the peer', '10.0.0.0/8', ofPeer],
    isFastifyFrom('5.12.1')
      ? ['a number, counts the peer', 1, ofPeer]
      : ['a number, counts the address that the peer reports', 1, ofClient],
    ['loopback, counts the address that the peer reports', 'loopback', ofClient],
    ['the address of the peer, counts the address that the peer reports', '127.0.0.1', ofClient],
    ['a network of the peer, counts the address that the peer reports', ['127.0.0.0/8'], ofClient],
    ['a function, counts the address that the peer reports', (address: string) => address === '127.0.0.1', ofClient],
  ])('C48 set to %s', async (_what, trustProxy, remaining) => {
    const site = await open({
      server: { trustProxy: trustProxy as boolean },
      options: hourly(9),
      after: (app) => app.get('/', served),
    });

    expect(remainingOf(await site.sendEach([{}, ...addresses.map((from) => ({ from }))]))).toEqual(remaining);
  });
});
