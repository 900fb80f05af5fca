import jwt from '@fastify/jwt';
import { byIp, byJwtSubject, createLimiter, type HookOptions, type RateLimitHook } from '@sluice/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { gets } from '../../support/site.js';
import { hourly, limited, local, opener, served } from './application.js';

const none = { global: false };

describe('app.rateLimit of Fastify', () => {
  const open = opener();

  it.each(['onRequest', 'preValidation', 'preHandler'] as const)('limits a route in %s', async (when) => {
    const site = await open({
      options: none,
      after: (app) => app.get('/', { [when]: app.rateLimit(hourly(1)) }, served).get('/other', served),
    });

    const responses = await site.sendEach(gets('/', '/', '/other'));

    expect(statusesOf(responses)).toEqual([200, 429, 200]);
    expect(remainingOf(responses)).toEqual([0, 0, undefined]);
  });

  it('limits every route of a scope that adds the hook', async () => {
    const site = await open({
      options: none,
      after: (app) =>
        app.register(async (child) => {
          child.addHook('preValidation', child.rateLimit(hourly(1)));
          child.get('/a', served).get('/b', served);
        }),
    });

    expect(statusesOf(await site.sendEach(gets('/a', '/b')))).toEqual([200, 429]);
  });

  it('counts in addition to other hooks and to the plugin', async () => {
    let hooks: RateLimitHook[] = [];
    const site = await open({
      options: hourly(10),
      after: (app) => {
        hooks = [5, 3, 4].map((limit) => app.rateLimit(hourly(limit)));
        app.get('/', { onRequest: hooks[0]!, preHandler: [hooks[1]!, hooks[2]!] }, served);
      },
    });

    const responses = await site.sendTimes(4);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['3', '3', '3', '3']);
    const left = await Promise.all(hooks.map(({ limiter }) => limiter.peek(local)));
    expect(left.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([1, 0, 1]);
  });

  it('accepts a limiter, without or with gate options, and inherits headers and onDenied', async () => {
    const limiter = createLimiter<FastifyRequest>({ name: 'a', key: byIp(), ...hourly(2) });
    const site = await open({
      options: { ...none, headers: ['draft-11'], onDenied: () => ({ slow: 'down' }) },
      after: (app) => {
        const alone = app.rateLimit({ limiter });
        expect(alone.limiter).toBe(limiter);
        app.get('/a', { onRequest: alone }, served);
        app.get('/b', { onRequest: app.rateLimit({ limiter, headers: [] }) }, served);
      },
    });

    const [first, second, denied] = await site.sendEach(gets('/a', '/b', '/a'));

    expect(membersOf(first!, 'ratelimit')).toMatchObject([{ name: 'a', r: 1 }]);
    expect(second!.headers).not.toHaveProperty('ratelimit');
    expect([denied!.status, denied!.text]).toEqual([429, '{"slow":"down"}']);
  });

  it('exposes its limiter and its decision', async () => {
    let account!: RateLimitHook;
    const site = await open({
      options: none,
      after: (app) => {
        account = app.rateLimit(hourly(10, { name: 'account', cost: 4 }));
        const address = app.rateLimit(hourly(10, { name: 'address' }));
        app.get('/', { preHandler: [account, address] }, async (request) => {
          await account.limiter.settle(account.decision(request)!, 1);
          const decisions = [account.decision(request), address.decision(request), request.rateLimit];
          return decisions.map((decision) => `${decision?.binding?.tier} ${decision?.binding?.remaining}`);
        });
        app.get('/other', (request) => [account.decision(request) ?? 'none', request.rateLimit ?? 'none']);
      },
    });

    const [first, other] = await site.sendEach(gets('/', '/other'));

    expect(JSON.parse(first!.text)).toEqual(['account 6', 'address 9', 'address 9']);
    expect(JSON.parse(other!.text)).toEqual(['none', 'none']);
    expect(await account.limiter.peek(local)).toMatchObject({ outcomes: [{ remaining: 9 }] });
  });

  it.each<[string, (app: FastifyInstance) => object]>([
    ['as a hook', (app) => ({ preHandler: app.rateLimit(hourly(2, { key: byJwtSubject() })) })],
    ['as the limit of the route', () => limited(2, { key: byJwtSubject(), hook: 'preHandler' })],
  ])('counts the address before authentication, and the user after it, %s', async (_how, userLimit) => {
    let app!: FastifyInstance;
    const site = await open({
      before: (each) => each.register(jwt, { secret: 'a secret of at least thirty-two characters' }),
      options: none,
      after: (each) => {
        app = each;
        const onRequest = [
          app.rateLimit(hourly(6)),
          async (request: FastifyRequest) => void (await request.jwtVerify()),
        ];
        app.get('/', { onRequest, ...userLimit(app) }, served);
      },
    });
    const as = (subject: string) => ({ headers: { Authorization: `Bearer ${app.jwt.sign({ sub: subject })}` } });
    const forged = { headers: { Authorization: `${as('ada').headers.Authorization}x` } };

    const responses = await site.sendEach([as('ada'), forged, forged, as('ada'), as('ada'), as('bob'), as('cyd')]);

    expect(statusesOf(responses)).toEqual([200, 401, 401, 200, 429, 200, 429]);
    expect(remainingOf(responses)).toEqual([1, 4, 3, 0, 0, 0, 0]);
  });

  it('numbers unnamed hooks in their scope, and shares the budget of a name', async () => {
    const site = await open({
      options: { ...none, headers: ['draft-11'] },
      after: (app) => {
        const hook = (options: HookOptions) => app.rateLimit(options);
        const named = () => hook(hourly(9, { name: 'named' }));
        app.get('/', { onRequest: [hook(hourly(5)), named(), hook(hourly(5))] }, served);
        app.get('/named', { onRequest: named() }, served);
      },
    });

    const [first, second] = await site.sendEach(gets('/', '/named'));

    expect(membersOf(first!, 'ratelimit')).toMatchObject([
      { name: 'hook 1', r: 4 },
      { name: 'named', r: 8 },
      { name: 'hook 2', r: 4 },
    ]);
    expect(membersOf(second!, 'ratelimit')).toMatchObject([{ name: 'named', r: 7 }]);
  });
});
