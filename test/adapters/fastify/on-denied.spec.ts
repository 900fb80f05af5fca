import type { OnDenied } from '@sluice/fastify';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { limitFields } from '../../support/responses.js';
import { hourly, opener, served } from './application.js';

describe('onDenied of Fastify', () => {
  const open = opener();

  /** A site that denies every request. */
  async function denying(
    onDenied: OnDenied,
    before: (app: FastifyInstance) => unknown = () => undefined,
    route: RouteShorthandOptions = {},
  ) {
    const options = hourly(1, { name: 'hour', onDenied });
    const site = await open({ before, options, after: (app) => app.get('/', route, served) });
    await site.send();
    return site;
  }

  it('can throw for an error handler that redirects', async () => {
    const fail = () => {
      throw new TooMany('slow down');
    };
    const site = await denying(fail, (app) =>
      app.setErrorHandler((_error, _request, reply) => reply.redirect('/slow')),
    );

    expect(await site.send()).toMatchObject({ status: 302, headers: { location: '/slow' } });
  });

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
    ['what it writes itself', (_request, reply) => void reply.hijack().raw.writeHead(418).end('tea'), 418, 'tea'],
    ['a redirection', (_request, reply) => reply.redirect('/slow'), 302, ''],
    ['a redirection of its own status', (_request, reply) => reply.redirect('/slow', 303), 303, ''],
    ['a redirection of an earlier status', (_request, reply) => reply.code(307).redirect('/slow'), 307, ''],
    ['the status of the denial', (_request, reply) => ({ status: reply.statusCode }), 429, '{"status":429}'],
    [
      'the decision in request.rateLimit',
      ({ rateLimit }) => ({ deniedBy: rateLimit?.deniedBy }),
      429,
      '{"deniedBy":["hour"]}',
    ],
  ])('answers with %s', async (_how, onDenied, status, text) => {
    const site = await denying(onDenied);

    expect(await site.send()).toMatchObject({ status, text });
    expect((await site.send()).status).toBe(status);
  });

  it('runs after the headers are set', async () => {
    const response = await (await denying(() => 'denied')).send();

    expect(limitFields(response)).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('passes its value to the serializer of the application, or through the schema of the route for 429', async () => {
    const properties = { slow: { type: 'string' } };
    const schema = { response: { 429: { type: 'object', properties } } };
    const onDenied = () => ({ slow: 'down', secret: 'hidden' });

    const serialized = await denying(onDenied, (app) => app.setReplySerializer((_payload, status) => `by ${status}`));
    const filtered = await denying(onDenied, undefined, { schema });

    expect((await serialized.send()).text).toBe('by 429');
    expect((await filtered.send()).text).toBe('{"slow":"down"}');
  });

  it.each<[string, OnDenied]>([
    [
      'throws',
      () => {
        throw new TooMany('slow down');
      },
    ],
    ['rejects with', () => Promise.reject(new TooMany('slow down'))],
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
