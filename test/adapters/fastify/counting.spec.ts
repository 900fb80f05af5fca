import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { createLimiter, rateLimit, type RateLimitOptions } from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { limitFields, statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';
const one = { limit: 1, window: '1h' } as const;
const notFound = (app: FastifyInstance) =>
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing here'));

describe('the plugin for Fastify', () => {
  const open = siteOpener();

  async function appWith(options: RateLimitOptions = one): Promise<FastifyInstance> {
    const app = fastify();
    await app.register(rateLimit, options);
    return app;
  }

  it.each<[string, () => Promise<FastifyInstance>]>([
    ['by default', appWith],
    ['in preValidation', () => appWith({ ...one, hook: 'preValidation' })],
    ['in preHandler', () => appWith({ ...one, hook: 'preHandler' })],
    ['with a later handler for unknown paths', async () => notFound(await appWith())],
    [
      'with an earlier handler for unknown paths',
      async () => {
        const app = notFound(fastify());
        await app.register(rateLimit, one);
        return app;
      },
    ],
  ])('counts unknown paths %s', async (_how, make) => {
    const site = await open(await make());

    expect(statusesOf(await site.sendEach(gets('/nowhere', '/elsewhere')))).toEqual([404, 429]);
  });

  it('counts unknown paths of its prefix, and no others', async () => {
    const app = fastify();
    app.register(
      async (child) => {
        await child.register(rateLimit, one);
        notFound(child);
      },
      { prefix: '/v1' },
    );
    const site = await open(app);

    const responses = await site.sendEach(gets('/v1/nowhere', '/elsewhere', '/v1/nowhere', '/elsewhere'));

    expect(statusesOf(responses)).toEqual([404, 404, 429, 404]);
  });

  it('counts unknown paths by a hook of their handler', async () => {
    const app = await appWith({ global: false });
    app.setNotFoundHandler({ preHandler: app.rateLimit(one) }, (_request, reply) => reply.code(404).send('nothing'));
    app.get('/', served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/nowhere', '/', '/', '/elsewhere')))).toEqual([404, 200, 200, 429]);
  });

  it('counts a request with callNotFound once', async () => {
    const app = await appWith({ limit: 2, window: '1h' });
    app.get('/items/:id', (_request, reply) => reply.callNotFound());
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/items/1', '/items/2', '/items/3')))).toEqual([404, 404, 429]);
  });

  it('counts a request with a malformed body', async () => {
    const app = await appWith();
    app.post('/', served);
    const site = await open(app);
    const malformed = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };

    expect(statusesOf(await site.sendTimes(2, malformed))).toEqual([400, 429]);
  });

  it('counts requests that are injected, and refunds them', async () => {
    const app = await appWith({ limit: 5, window: '1h', refundWhen: (status) => status < 400 });
    app.get('/', served);
    app.get('/broken', (_request, reply) => reply.code(500).send('broken'));

    const responses = [];
    for (const path of ['/', '/', '/broken', '/']) responses.push(await app.inject(path));
    await app.close();

    expect(responses.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['4', '4', '4', '3']);
  });

  it('warns of a limiter that counts a request twice', async () => {
    const limiter = createLimiter<FastifyRequest>({ key: () => 'all', limit: 10, window: '1h' });
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const app = await appWith({ limiter });
    app.get('/', { preHandler: app.rateLimit(limiter) }, served);

    await (await open(app)).send();

    expect(warned).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ code: 'SLUICE_COUNTED_TWICE' }));
    warned.mockRestore();
    expect(await limiter.peek({} as FastifyRequest)).toMatchObject({ outcomes: [{ remaining: 8 }] });
  });

  describe('with @fastify/cors', () => {
    const options: FastifyCorsOptions = { origin: 'https://app.example', exposedHeaders: ['X-Total'] };
    const headers = { Origin: 'https://app.example' };
    const preflight = { method: 'OPTIONS', headers: { ...headers, 'Access-Control-Request-Method': 'GET' } };

    it.each([
      ['before', [true, false]],
      ['after', [false, true]],
    ])('C33 counts no preflight with cors %s it', async (_order, order) => {
      const app = fastify();
      for (const isCors of order) await (isCors ? app.register(cors, options) : app.register(rateLimit, one));
      app.get('/', served);
      const site = await open(app);

      const responses = await site.sendEach([preflight, preflight, {}, preflight, {}]);

      expect(statusesOf(responses)).toEqual([204, 204, 200, 204, 429]);
      expect(responses[3]!.headers['access-control-allow-origin']).toBe('https://app.example');
      expect(limitFields(responses[3]!)).toEqual({});
    });

    it('C33 exposes its fields next to those of cors', async () => {
      const app = fastify();
      await app.register(cors, options);
      await app.register(rateLimit, one);
      app.get('/', served);
      const site = await open(app);

      const [admitted, denied] = await site.sendTimes(2, { headers });

      const fields = 'X-Total, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
      expect(admitted!.headers['access-control-expose-headers']).toBe(fields);
      expect(denied!.headers['access-control-expose-headers']).toBe(`${fields}, Retry-After`);
      expect(denied!.headers['access-control-allow-origin']).toBe('https://app.example');
    });
  });
});
