import { rateLimit, type OnDenied } from '@sluice/fastify';
import { fastify } from 'fastify';
import { limitFields } from '../express/fields.js';
import { denier } from './denying.js';
import { siteOpener } from './site.js';

const served = () => 'served';

describe('A denial that is answered by onDenied', () => {
  const open = siteOpener();
  const denying = denier();

  class TooMany extends Error {
    statusCode = 420;
  }

  it.each<[string, OnDenied, number, string]>([
    ['with what it returns', () => ({ slow: 'down' }), 429, '{"slow":"down"}'],
    ['with what it resolves to', async () => ({ slow: 'down' }), 429, '{"slow":"down"}'],
    [
      'with what it will have later, in no promise of ours',
      // Query builders and the like are awaited by Fastify too.
      // oxlint-disable-next-line unicorn/no-thenable
      () => ({ then: (resolve: (payload: unknown) => void) => resolve({ slow: 'down' }) }),
      429,
      '{"slow":"down"}',
    ],
    ['with null', () => null, 429, 'null'],
    ['with what it sends', (_request, reply) => void reply.code(418).send('tea'), 418, 'tea'],
    ['with what it sends and returns', (_request, reply) => reply.code(418).send('tea'), 418, 'tea'],
    ['with what it sends and returns, async', async (_request, reply) => reply.code(418).send('tea'), 418, 'tea'],
    [
      'with what it sends later',
      (_request, reply) => void setImmediate(() => void reply.code(418).send('tea')),
      418,
      'tea',
    ],
    ['with nothing', async () => {}, 429, ''],
    [
      'with what it writes itself',
      (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(418).end('tea');
      },
      418,
      'tea',
    ],
    ['with a redirection', (_request, reply) => reply.redirect('/slow', 303), 303, ''],
  ])('is answered %s', async (_how, onDenied, status, text) => {
    const site = await denying({ onDenied });

    expect(await site.ask()).toMatchObject({ status, text });
    expect((await site.ask()).status).toBe(status);
  });

  it('has status and headers already', async () => {
    const site = await denying({ onDenied: (_request, reply) => ({ status: reply.statusCode }) });

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 429, text: '{"status":429}' });
    expect(limitFields(answer)).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('has its decision in request.rateLimit', async () => {
    const site = await denying({ onDenied: ({ rateLimit: decision }) => ({ deniedBy: decision?.deniedBy }) });

    expect((await site.ask()).text).toBe('{"deniedBy":["hour"]}');
  });

  it('returns what the serializer of the application handles', async () => {
    const site = await denying({ onDenied: () => ({ slow: 'down' }) }, (app) =>
      app.setReplySerializer((payload, status) => `${status} ${JSON.stringify(payload)}`),
    );

    expect((await site.ask()).text).toBe('429 {"slow":"down"}');
  });

  it('returns what the schema of the route for 429 lets through', async () => {
    const app = fastify();
    await app.register(rateLimit, {
      limit: 1,
      window: '1h',
      onDenied: () => ({ slow: 'down', secret: 'not for you' }),
    });
    const properties = { slow: { type: 'string' } };
    app.get('/', { schema: { response: { 429: { type: 'object', properties } } } }, served);
    const site = await open(app);

    const [, denied] = await site.askEach([{}, {}]);

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
  ])('%s an error, which the error handler is given once', async (_how, onDenied) => {
    const handled: string[] = [];
    const site = await denying({ onDenied }, (app) =>
      app.setErrorHandler((error: Error, _request, reply) => {
        handled.push(error.message);
        return reply.code(420).send({ handled: error.message });
      }),
    );

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 420, text: '{"handled":"slow down"}' });
    expect(limitFields(answer)).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    expect(handled).toEqual(['slow down']);
  });

  it('throws an error without a status, which Fastify answers with 429', async () => {
    const site = await denying({
      onDenied: () => {
        throw new Error('slow down');
      },
    });

    const answer = await site.ask();

    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'Too Many Requests', message: 'slow down' });
  });
});
