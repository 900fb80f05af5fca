import { rateLimit, type OnDenied } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { limitFields } from '../../support/responses.js';
import { siteOpener, type Site } from '../../support/site.js';

const served = () => 'served';

describe('onDenied of Fastify', () => {
  const open = siteOpener();

  /** A site that denies every request. */
  async function denying(
    onDenied: OnDenied,
    prepare: (app: FastifyInstance) => unknown = () => undefined,
  ): Promise<Site> {
    const app = fastify();
    prepare(app);
    await app.register(rateLimit, { name: 'hour', limit: 1, window: '1h', onDenied });
    app.get('/', served);
    const site = await open(app);
    await site.send();
    return site;
  }

  class TooMany extends Error {
    statusCode = 420;
  }

  it.each<[string, OnDenied, number, string]>([
    ['what it returns', () => ({ slow: 'down' }), 429, '{"slow":"down"}'],
    ['what it resolves to', async () => ({ slow: 'down' }), 429, '{"slow":"down"}'],
    [
      'what its thenable resolves to',
      // Fastify also awaits query builders and similar objects.
      // oxlint-disable-next-line unicorn/no-thenable
      () => ({ then: (resolve: (payload: unknown) => void) => resolve({ slow: 'down' }) }),
      429,
      '{"slow":"down"}',
    ],
    ['null', () => null, 429, 'null'],
    ['what it sends', (_request, reply) => void reply.code(418).send('tea'), 418, 'tea'],
    ['what it sends and returns', (_request, reply) => reply.code(418).send('tea'), 418, 'tea'],
    ['what it sends and returns by promise', async (_request, reply) => reply.code(418).send('tea'), 418, 'tea'],
    ['what it sends later', (_request, reply) => void setImmediate(() => void reply.code(418).send('tea')), 418, 'tea'],
    ['an empty body when it returns nothing', async () => {}, 429, ''],
    [
      'what it writes itself',
      (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(418).end('tea');
      },
      418,
      'tea',
    ],
    ['a redirection', (_request, reply) => reply.redirect('/slow', 303), 303, ''],
  ])('answers with %s', async (_how, onDenied, status, text) => {
    const site = await denying(onDenied);

    expect(await site.send()).toMatchObject({ status, text });
    expect((await site.send()).status).toBe(status);
  });

  it('runs after status and headers are set', async () => {
    const site = await denying((_request, reply) => ({ status: reply.statusCode }));

    const response = await site.send();

    expect(response).toMatchObject({ status: 429, text: '{"status":429}' });
    expect(limitFields(response)).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('finds the decision in request.rateLimit', async () => {
    const site = await denying(({ rateLimit: decision }) => ({ deniedBy: decision?.deniedBy }));

    expect((await site.send()).text).toBe('{"deniedBy":["hour"]}');
  });

  it('passes its value to the serializer of the application', async () => {
    const site = await denying(
      () => ({ slow: 'down' }),
      (app) => app.setReplySerializer((payload, status) => `${status} ${JSON.stringify(payload)}`),
    );

    expect((await site.send()).text).toBe('429 {"slow":"down"}');
  });

  it('passes its value through the schema of the route for 429', async () => {
    const app = fastify();
    await app.register(rateLimit, {
      limit: 1,
      window: '1h',
      onDenied: () => ({ slow: 'down', secret: 'not for you' }),
    });
    const properties = { slow: { type: 'string' } };
    app.get('/', { schema: { response: { 429: { type: 'object', properties } } } }, served);
    const site = await open(app);

    const [, denied] = await site.sendEach([{}, {}]);

    expect(denied!.text).toBe('{"slow":"down"}');
  });

  it.each<[string, OnDenied]>([
    [
      'throws',
      () => {
        throw new TooMany('slow down');
      },
    ],
    [
      'rejects with',
      async () => {
        throw new TooMany('slow down');
      },
    ],
    ['returns', () => new TooMany('slow down')],
    ['resolves to', async () => new TooMany('slow down')],
  ])('%s an error that reaches the error handler once', async (_how, onDenied) => {
    const handled: string[] = [];
    const site = await denying(onDenied, (app) =>
      app.setErrorHandler((error: Error, _request, reply) => {
        handled.push(error.message);
        return reply.code(420).send({ handled: error.message });
      }),
    );

    const response = await site.send();

    expect(response).toMatchObject({ status: 420, text: '{"handled":"slow down"}' });
    expect(limitFields(response)).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    expect(handled).toEqual(['slow down']);
  });

  it('answers 429 when it throws an error without a status', async () => {
    const site = await denying(() => {
      throw new Error('slow down');
    });

    const response = await site.send();

    expect(response.status).toBe(429);
    expect(JSON.parse(response.text)).toMatchObject({ error: 'Too Many Requests', message: 'slow down' });
  });
});
