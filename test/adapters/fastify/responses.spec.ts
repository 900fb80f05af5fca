import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import { signal } from '../../support/signal.js';
import { gets } from '../../support/site.js';
import { hourly, opener, served } from './application.js';

const FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

describe('a reply of Fastify', () => {
  const open = opener();
  const opened = (
    after: (app: FastifyInstance) => unknown,
    options: object = {},
    before: (app: FastifyInstance) => unknown = () => undefined,
  ) => open({ before, options: hourly(1, options), after });

  it('C18 has no limits in its trailers', async () => {
    const site = await opened((app) =>
      app.get('/', (_request, reply) => {
        // Before 5.12.8 Fastify sends none after a stream.
        reply.trailer('x-checked', async () => 'yes');
        return reply.send('served');
      }),
    );

    const response = await site.send();

    expect(response.trailers).toEqual({ 'x-checked': 'yes' });
    expect(response.headers).toHaveProperty('x-ratelimit-limit');
  });

  it.each<[string, (app: FastifyInstance) => unknown, number]>([
    ['a stream', (app) => app.get('/', () => Readable.from(['ser', 'ved'])), 200],
    ['a stream that breaks', (app) => app.get('/', () => brokenStream()), 500],
    ['a redirection', (app) => app.get('/', (_request, reply) => reply.redirect('/elsewhere')), 302],
    [
      'an invalid query',
      (app) => app.get('/', { schema: { querystring: { type: 'object', required: ['a'] } } }, served),
      400,
    ],
    [
      'a head that the handler writes with the headers of the reply',
      (app) =>
        app.get('/', (_request, reply) => {
          reply.hijack();
          reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>).end('served');
        }),
      200,
    ],
  ])('C19 has the headers on %s', async (_what, build, status) => {
    const response = await (await opened(build)).send();

    expect(response.status).toBe(status);
    expect(Object.keys(limitFields(response)).toSorted()).toEqual(FIELDS);
  });

  it('C30 of a denial does not wait for a content type parser', async () => {
    const parsed = jest.fn();
    const handler = jest.fn(served);
    const site = await opened(
      (app) => app.post('/', handler),
      {},
      (app) => {
        app.removeAllContentTypeParsers();
        app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
          parsed(body);
          done(null, body);
        });
      },
    );
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

    const responses = await site.sendTimes(3, request);

    expect(statusesOf(responses)).toEqual([200, 429, 429]);
    expect([handler, parsed].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('C50 to /%zz comes from Fastify alone, before any hook', async () => {
    const handler = jest.fn(served);
    const site = await opened((app) => app.get('/*', handler));

    const responses = await site.sendEach(gets('/a', '/%zz', '/b'));

    expect(statusesOf(responses)).toEqual([200, 400, 429]);
    expect(limitFields(responses[1]!)).toEqual({});
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('of a denial passes onSend hooks, and no serializer of the application', async () => {
    const site = await opened(
      (app) => app.get('/', served),
      {},
      (app) => {
        app.setReplySerializer(() => 'serialized');
        app.addHook('onSend', async (_request, reply) => void reply.header('X-Seen', 'yes'));
      },
    );

    const [, response] = await site.sendTimes(2);

    expect(response!.headers['x-seen']).toBe('yes');
    expect(JSON.parse(response!.text)).toMatchObject({ status: 429 });
  });

  it.each<[string, (reply: FastifyReply) => void, string]>([
    ['a hook sends it', (reply) => void reply.send('timeout'), 'timeout'],
    [
      'a hook hijacks it',
      (reply) => {
        reply.hijack();
        setImmediate(() => reply.raw.end('hijacked'));
      },
      'hijacked',
    ],
    [
      'its head was sent',
      (reply) => {
        reply.raw.writeHead(200);
        reply.raw.write('begun');
      },
      'begun',
    ],
  ])('gets no fields and no denial when %s while the limiter waits', async (_what, act, text) => {
    const errors: unknown[] = [];
    const [waiting, answered] = [signal(), signal()];
    const key = async () => {
      waiting.give();
      await answered.given;
      return 'all';
    };
    const site = await opened(
      (app) => app.get('/', served),
      { key, limit: () => 0 },
      (app) => {
        app.addHook('onRequest', (_request, reply, done) => {
          void waiting.given.then(() => {
            act(reply);
            answered.give();
          });
          done();
        });
        app.setErrorHandler((error) => {
          errors.push(error);
          throw error;
        });
      },
    );

    const response = await site.send();

    expect(response).toMatchObject({ status: 200, text });
    expect([limitFields(response), errors]).toEqual([{}, []]);
  });

  it('stays as it is when a hook sends it while the body of a denial is awaited', async () => {
    const lines: string[] = [];
    const site = await open({
      server: { logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } },
      before: (app) =>
        app.addHook('onRequest', (_request, reply, done) => {
          done();
          if (reply.hasHeader('retry-after')) reply.send('early');
        }),
      options: hourly(1, { body: async () => 'denied' }),
      after: (app) => app.get('/', served),
    });

    const responses = await site.sendTimes(2);

    expect(responses.map(({ text }) => text)).toEqual(['served', 'early']);
    expect(lines).toEqual([]);
  });

  it('of an earlier hook is not counted', async () => {
    const site = await opened(
      (app) => app.get('/', served),
      {},
      (app) => app.addHook('onRequest', async (_request, reply) => reply.send('answered')),
    );

    const responses = await site.sendTimes(2);

    expect(statusesOf(responses)).toEqual([200, 200]);
    expect(remainingOf(responses)).toEqual([undefined, undefined]);
  });

  it('is that of the error handler, once, when the handler throws behind a limiter that waited', async () => {
    const handled: unknown[] = [];
    const site = await opened(
      (app) =>
        app.get('/', () => {
          throw new Error('broken');
        }),
      { key: async () => 'all' },
      (app) =>
        app.setErrorHandler((error, _request, reply) => {
          handled.push(error);
          return reply.code(500).send('handled');
        }),
    );

    expect(await site.send()).toMatchObject({ status: 500, text: 'handled' });
    expect(handled).toEqual([expect.objectContaining({ message: 'broken' })]);
  });
});

function brokenStream(): Readable {
  return new Readable({
    read() {
      this.destroy(new Error('broken'));
    },
  });
}
