import jwt from '@fastify/jwt';
import { byIp, byJwtSubject, createLimiter, memoryStore, rateLimit, type HookOptions } from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('app.rateLimit of Fastify', () => {
  const open = siteOpener();

  async function appWith(defaults: object = {}): Promise<FastifyInstance> {
    const app = fastify();
    await app.register(rateLimit, { global: false, ...defaults });
    return app;
  }

  it.each(['onRequest', 'preValidation', 'preHandler'] as const)('limits a route in %s', async (when) => {
    const app = await appWith();
    app.get('/', { [when]: app.rateLimit({ limit: 1, window: '1h' }) }, served);
    app.get('/other', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/', '/', '/other'));

    expect(statusesOf(responses)).toEqual([200, 429, 200]);
    expect(remainingOf(responses)).toEqual([0, 0, undefined]);
  });

  it('limits every route of a scope that adds the hook', async () => {
    const app = await appWith();
    app.register(async (child) => {
      child.addHook('preValidation', child.rateLimit({ limit: 1, window: '1h' }));
      child.get('/a', served);
      child.get('/b', served);
    });
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/a', '/b')))).toEqual([200, 429]);
  });

  it('counts in addition to other hooks and to the plugin', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 10, window: '1h' });
    const hooks = [5, 3, 4].map((limit) => app.rateLimit({ limit, window: '1h' }));
    app.get('/', { onRequest: hooks[0]!, preHandler: [hooks[1]!, hooks[2]!] }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/', '/', '/', '/'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['3', '3', '3', '3']);
    const left = await Promise.all(hooks.map(({ limiter }) => limiter.peek({ ip: '127.0.0.1' } as FastifyRequest)));
    expect(left.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([1, 0, 1]);
  });

  it('accepts a limiter, alone or with gate options', async () => {
    const app = await appWith();
    const limiter = createLimiter<FastifyRequest>({ key: byIp(), limit: 2, window: '1h' });
    app.get('/a', { onRequest: app.rateLimit(limiter) }, served);
    app.get('/b', { onRequest: app.rateLimit({ limiter, headers: [] }) }, served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/a', '/b', '/a'));

    expect(statusesOf(responses)).toEqual([200, 200, 429]);
    expect(app.rateLimit(limiter).limiter).toBe(limiter);
  });

  it('inherits headers, body and onDenied, also with a limiter alone', async () => {
    const app = await appWith({ headers: ['draft-11'], onDenied: () => ({ slow: 'down' }) });
    const limiter = createLimiter<FastifyRequest>({ name: 'a', key: byIp(), limit: 1, window: '1h' });
    app.get('/', { onRequest: app.rateLimit(limiter) }, served);
    const site = await open(app);

    const [admitted, denied] = await site.sendEach(gets('/', '/'));

    expect(admitted!.headers).toHaveProperty('ratelimit');
    expect(admitted!.headers).not.toHaveProperty('x-ratelimit-limit');
    expect(JSON.parse(denied!.text)).toEqual({ slow: 'down' });
  });

  it('exposes its limiter and its decision', async () => {
    const app = await appWith();
    const account = app.rateLimit({ name: 'account', limit: 10, window: '1h', cost: 4 });
    const address = app.rateLimit({ name: 'address', limit: 10, window: '1h' });
    const handler = async (request: FastifyRequest) => {
      await account.limiter.settle(account.decision(request)!, 1);
      return {
        account: account.decision(request)?.outcomes[0],
        address: address.decision(request)?.outcomes[0],
        last: request.rateLimit?.outcomes[0]?.tier,
      };
    };
    app.route({ method: 'GET', url: '/', preHandler: [account, address], handler });
    const site = await open(app);

    const { text } = await site.send();

    expect(JSON.parse(text)).toMatchObject({
      account: { tier: 'account', remaining: 6 },
      address: { tier: 'address', remaining: 9 },
      last: 'address',
    });
    expect(await account.limiter.peek({ ip: '127.0.0.1' } as FastifyRequest)).toMatchObject({
      outcomes: [{ remaining: 9 }],
    });
  });

  it('has no decision about a request of another route', async () => {
    const app = await appWith();
    const hook = app.rateLimit({ limit: 1, window: '1h' });
    app.get('/', (request) => ({ decision: hook.decision(request) ?? 'none', last: request.rateLimit ?? 'none' }));
    const site = await open(app);

    expect(JSON.parse((await site.send()).text)).toEqual({ decision: 'none', last: 'none' });
  });

  it('counts the address before authentication, and the user after it', async () => {
    const app = fastify();
    await app.register(jwt, { secret: 'a secret of at least thirty-two characters' });
    await app.register(rateLimit, { limit: 6, window: '1h' });
    app.get(
      '/',
      {
        preValidation: (request) => request.jwtVerify(),
        preHandler: app.rateLimit({ limit: 2, window: '1h', key: byJwtSubject() }),
      },
      served,
    );
    const site = await open(app);
    const as = (subject: string) => ({ headers: { Authorization: `Bearer ${app.jwt.sign({ sub: subject })}` } });
    const forged = { headers: { Authorization: `${as('ada').headers.Authorization}x` } };

    const responses = await site.sendEach([as('ada'), forged, forged, as('ada'), as('ada'), as('bob'), as('cyd')]);

    expect(statusesOf(responses)).toEqual([200, 401, 401, 200, 429, 200, 429]);
    expect(remainingOf(responses)).toEqual([1, 4, 3, 0, 0, 0, 0]);
  });

  it('runs in the order of hooks: the address in onRequest, the user in preHandler', async () => {
    const app = fastify();
    await app.register(jwt, { secret: 'a secret of at least thirty-two characters' });
    await app.register(rateLimit, { global: false });
    const perUser: HookOptions = { limit: 1, window: '1h', key: byJwtSubject() };
    app.get(
      '/',
      {
        config: { rateLimit: { ...perUser, hook: 'preHandler' } },
        onRequest: [app.rateLimit({ limit: 3, window: '1h' }), (request) => request.jwtVerify()],
      },
      served,
    );
    const site = await open(app);
    const as = (subject: string) => ({ headers: { Authorization: `Bearer ${app.jwt.sign({ sub: subject })}` } });

    const responses = await site.sendEach([as('ada'), as('ada'), as('bob'), as('cyd')]);

    expect(statusesOf(responses)).toEqual([200, 429, 200, 429]);
  });

  it.each<[string, unknown, RegExp]>([
    ['an invalid limit', { limit: -1, window: '1h' }, /limit must be/],
    ['no options', undefined, /options must be an object or a limiter/],
    ['an object that is no limiter', { limiter: {} }, /limiter must be a limiter/],
  ])('throws for %s', async (_what, options, message) => {
    const app = await appWith();

    expect(() => app.rateLimit(options as HookOptions)).toThrow(message);
    await app.close();
  });

  it('numbers unnamed hooks in their scope', async () => {
    const app = await appWith({ headers: ['draft-11'] });
    const named = app.rateLimit({ name: 'named', limit: 9, window: '1h' });
    const hooks = [app.rateLimit({ limit: 5, window: '1h' }), named, app.rateLimit({ limit: 5, window: '1h' })];
    app.get('/', { onRequest: hooks }, served);
    const site = await open(app);

    const response = await site.send();

    expect(membersOf(response, 'ratelimit')).toMatchObject([
      { name: 'hook 1', r: 4 },
      { name: 'named', r: 8 },
      { name: 'hook 2', r: 4 },
    ]);
  });

  it('shares the budget of a name within a scope', async () => {
    const app = await appWith();
    const hook = () => app.rateLimit({ name: 'login', limit: 2, window: '1h' });
    app.get('/a', { onRequest: hook() }, served);
    app.get('/b', { onRequest: hook() }, served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/a', '/b', '/a')))).toEqual([200, 200, 429]);
  });

  it('requires a name on a store that was passed in', async () => {
    const app = await appWith({ store: memoryStore() });

    expect(() => app.rateLimit({ limit: 1, window: '1h' })).toThrow(
      expect.objectContaining({ code: 'TIER_NAME_REQUIRED' }),
    );
    expect(app.rateLimit({ name: 'a', limit: 1, window: '1h' })).toBeInstanceOf(Function);
    await app.close();
  });
});
