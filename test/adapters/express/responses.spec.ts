import { gunzipSync } from 'node:zlib';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { rateLimit, type RateLimitOptions } from '@sluice/express';
import compression from 'compression';
import cors from 'cors';
import express5, { type ErrorRequestHandler, type RequestHandler, type Response as ExpressResponse } from 'express';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import { signal } from '../../support/signal.js';
import { siteOpener } from '../../support/site.js';
import { warningCatcher } from '../../support/warnings.js';
import { versions } from '../stacks/express.js';

const one = { limit: 1, window: '1h' } as const;
const serve: RequestHandler = (_request, response) => void response.send('served');
const mine = new Error('mine');

/** A test of timers leaves the others alone, because HTTP needs them. */
const OTHER_CLOCKS = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;

describe.each(versions)('a response of %s', (_version, express) => {
  const open = siteOpener();

  /** A site of middleware, with the errors that reached its error handler. */
  const opened = async (...handlers: RequestHandler[]) => {
    const errors: unknown[] = [];
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.status(500).send('failed');
    };
    return { errors, site: await open(express().use(...handlers, serve, onError)) };
  };

  it('C18 has no limits in its trailers', async () => {
    const { site } = await opened(rateLimit(one), (_request, response) => {
      response.setHeader('Trailer', 'Checksum');
      response.write('some');
      response.addTrailers({ Checksum: 'abc' });
      response.end('thing');
    });

    const { trailers, headers } = await site.send({ headers: { TE: 'trailers' } });

    expect(trailers).toEqual({ checksum: 'abc' });
    expect(Object.keys(limitFields({ headers, trailers: {} }))).toHaveLength(3);
  });

  it.each<[string, RequestHandler, number]>([
    ['a stream', (_request, response) => void response.write('a', () => void response.end('b')), 200],
    ['a redirection', (_request, response) => response.redirect('/elsewhere'), 302],
  ])('C19 has the headers on %s', async (_kind, handler, status) => {
    const { site } = await opened(rateLimit(one), handler);

    const response = await site.send();

    expect([response.status, ...remainingOf([response])]).toEqual([status, 0]);
  });

  it.each<[string, Partial<RateLimitOptions>]>([
    ['problem details', {}],
    ['a body of the application', { body: 'served' }],
    ['an answer of onDenied', { onDenied: serve }],
  ])('C19 C28 has the headers on 304, which no denial with %s becomes', async (_kind, more) => {
    const { site } = await opened(rateLimit({ ...one, limit: 2, ...more } as RateLimitOptions));
    const { etag = '' } = (await site.send()).headers;

    const responses = await site.sendEach(
      [etag, etag, '*', `W/${etag}`].map((validator) => ({ headers: { 'If-None-Match': validator } })),
    );

    expect(statusesOf(responses)).toEqual([304, 429, 429, 429]);
    expect(remainingOf(responses)).toEqual([0, 0, 0, 0]);
  });

  it('C30 of a denial does not wait for a body parser behind the limiter', async () => {
    const parsed: string[] = [];
    const { site } = await opened(rateLimit(one), express5.json({ verify: () => void parsed.push('body') }));
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };

    const responses = await site.sendEach([request, { ...request, body: '{ no JSON' }]);

    expect(statusesOf(responses)).toEqual([200, 429]);
    expect(parsed).toEqual(['body']);
  });

  it('C33 exposes its fields next to those of cors', async () => {
    const headers = { Origin: 'https://app.example.com' };
    const { site } = await opened(cors({ exposedHeaders: ['X-Total'] }), rateLimit(one));

    for (const response of await site.sendTimes(2, { headers })) {
      const exposed = response.headers['access-control-expose-headers']!.toLowerCase().split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['x-total', ...Object.keys(limitFields(response))]));
      expect(new Set(exposed).size).toBe(exposed.length);
    }
  });

  it.each([
    ['before', [cors(), rateLimit(one)]],
    ['after', [rateLimit(one), cors()]],
  ])('C33 counts no preflight with cors %s the limiter', async (_order, handlers) => {
    const preflight = {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'PUT' },
    };
    const { site } = await opened(...handlers);

    const responses = await site.sendEach([preflight, preflight, preflight, {}]);

    expect(statusesOf(responses)).toEqual([204, 204, 204, 200]);
    expect(responses[0]!.headers['access-control-allow-origin']).toBe('*');
  });

  it('has the headers when it is compressed, also a denial', async () => {
    const { site } = await opened(compression({ threshold: 0 }), rateLimit(one));

    const responses = [];
    for (let count = 0; count < 2; count += 1) {
      const [response] = (await once(site.start({ headers: { 'Accept-Encoding': 'gzip' } }), 'response')) as [
        IncomingMessage,
      ];
      const body = gunzipSync(Buffer.concat(await response.toArray())).toString();
      responses.push({ status: response.statusCode, body, headers: response.headers });
    }

    expect(responses).toMatchObject([
      { status: 200, body: 'served', headers: { 'content-encoding': 'gzip', 'x-ratelimit-remaining': '0' } },
      { status: 429, headers: { 'content-encoding': 'gzip', 'retry-after': expect.any(String) } },
    ]);
    expect(JSON.parse(responses[1]!.body)).toMatchObject({ status: 429 });
  });

  it('C19 stays as it is when middleware sends it while the key is awaited; the request stays counted', async () => {
    const decided = signal();
    let reached = 0;
    const key = async () => {
      await new Promise(setImmediate);
      setImmediate(() => decided.give());
      return 'all';
    };
    const gate = rateLimit({ ...one, key });
    const { errors, site } = await opened(
      (_request, response, next) => {
        next();
        response.send('early');
      },
      gate,
      (_request, _response, next) => {
        reached += 1;
        next();
      },
    );

    const response = await site.send();
    await decided.given;

    expect([response.text, limitFields(response), errors, reached]).toEqual(['early', {}, [], 0]);
    expect((await gate.limiter.inspect({}))[0]!.outcome.remaining).toBe(0);
  });

  it('stays as it is when middleware sends it while the body of a denial is awaited', async () => {
    const made = signal();
    const body = async () => {
      await new Promise(setImmediate);
      setImmediate(() => made.give());
      return 'denied';
    };
    const { errors, site } = await opened(
      (_request, response, next) => {
        next();
        if (response.hasHeader('retry-after')) response.send('early');
      },
      rateLimit({ ...one, body }),
    );

    const responses = await site.sendTimes(2);
    await made.given;

    expect(responses.map(({ text }) => text)).toEqual(['served', 'early']);
    expect(errors).toEqual([]);
  });

  it.each<[string, Partial<RateLimitOptions>]>([
    ['at once', {}],
    ['later', { skip: async () => false }],
  ])('C19 gets no more headers after its head was sent, and ends when the limiter denies %s', async (_when, more) => {
    const flush: RequestHandler = (_request, response, next) => {
      response.flushHeaders();
      next();
    };
    const end: RequestHandler = (_request, response) => void response.end('served');
    const { errors, site } = await opened(flush, rateLimit({ ...one, ...more } as RateLimitOptions), end);

    const responses = await site.sendTimes(2);

    expect(responses.map(({ status, text }) => [status, text])).toEqual([
      [200, 'served'],
      [200, ''],
    ]);
    expect(responses.map(limitFields)).toEqual([{}, {}]);
    expect(errors).toEqual([]);
  });

  describe('from onDenied', () => {
    const denial = async (onDenied: RequestHandler) => {
      const { site, errors } = await opened(rateLimit({ ...one, onDenied }));
      const [, response] = await site.sendTimes(2);
      return { response: response!, errors };
    };

    it.each<[string, RequestHandler, number, string]>([
      [
        'has status and headers before',
        (_request, response) => void response.send(`${response.statusCode}`),
        429,
        '429',
      ],
      ['is what it sends', (_request, response) => void response.status(418).send('teapot'), 418, 'teapot'],
      [
        'is what it sends later',
        async (_request, response) => {
          await new Promise(setImmediate);
          response.status(418).send('teapot');
        },
        418,
        'teapot',
      ],
      [
        'is that of the next handler when it calls next',
        (_request, response, next) => (response.status(200), next()),
        200,
        'served',
      ],
    ])('%s', async (_name, onDenied, status, text) => {
      const { response } = await denial(onDenied);

      expect([response.status, response.text]).toEqual([status, text]);
      expect(Object.keys(limitFields(response))).toHaveLength(4);
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it.each<[string, RequestHandler]>([
      ['passes on', (_request, _response, next) => next(mine)],
      [
        'throws',
        () => {
          throw mine;
        },
      ],
      ['rejects with', () => Promise.reject(mine)],
      // oxlint-disable-next-line unicorn/no-thenable -- a query of an SQL builder is one
      ['rejects in another library with', () => ({ then: (_: unknown, onError: (e: Error) => void) => onError(mine) })],
    ])('is that of the error handler, once, when it %s an error', async (_way, onDenied) => {
      const { response, errors } = await denial(onDenied);

      expect([response.status, response.text, errors]).toEqual([500, 'failed', [mine]]);
    });
  });

  describe('that has begun before the limit runs', () => {
    const warnings = warningCatcher();

    it('warns once, because no such request can be denied', async () => {
      const early: RequestHandler = (_request, response, next) => (response.send('served'), next());
      const site = await open(express().use(early, rateLimit(one)));

      await site.sendTimes(3);

      expect(warnings()).toEqual([['SLUICE_AFTER_ANSWER', expect.stringContaining('above the routes')]]);
    });
  });

  describe('that onDenied does not give', () => {
    const warnings = warningCatcher();
    const remedy = 'and its client waits: answer with response.json(…), or write the option body in place of onDenied';
    const returned = `rateLimit: onDenied has returned a value, which Express does not send, ${remedy}`;
    const late = `rateLimit: onDenied has not answered within 5 seconds, ${remedy}`;

    it.each<[string, RequestHandler]>([
      ['an object', () => ({ error: 'slow down' })],
      ['an object by promise', async () => ({ error: 'slow down' })],
      ['text', () => 'slow down'],
      ['a response of the web', () => Response.json('slow down')],
    ])('warns once of %s that it returns instead', async (_what, onDenied) => {
      let denied = 0;
      const { site } = await opened(
        rateLimit({
          ...one,
          onDenied: (request, response, next) => {
            denied += 1;
            setImmediate(() => response.end());
            return onDenied(request, response, next);
          },
        }),
      );

      await site.sendTimes(3);

      expect([denied, warnings()]).toEqual([2, [['SLUICE_DENIAL_UNANSWERED', returned]]]);
    });

    describe('within five seconds', () => {
      beforeEach(() => jest.useFakeTimers({ doNotFake: [...OTHER_CLOCKS] }));
      afterEach(() => jest.useRealTimers());

      /** What is warned of while a denied client waits, and in the end. */
      const warned = async (onDenied: RequestHandler) => {
        const denied = signal();
        const pending: ExpressResponse[] = [];
        const { site } = await opened(
          rateLimit({
            ...one,
            onDenied(request, response, next) {
              pending.push(response);
              denied.give();
              return onDenied(request, response, next);
            },
          }),
        );
        await site.send();
        const answer = site.send();
        await denied.given;
        await new Promise(setImmediate);
        jest.advanceTimersByTime(4_999);
        const before = warnings();
        jest.advanceTimersByTime(1);
        for (const each of pending) each.end();
        await answer;
        return [before, warnings()];
      };

      it.each<[string, RequestHandler]>([
        ['nothing', () => undefined],
        ['nothing by promise', async () => undefined],
        ['a timer', () => setTimeout(() => undefined, 10_000)],
      ])('is warned of once: it has returned %s', async (_what, onDenied) => {
        expect(await warned(onDenied)).toEqual([[], [['SLUICE_DENIAL_UNANSWERED', late]]]);
      });

      it.each<[string, RequestHandler]>([
        ['it answers later', (_request, response) => setTimeout(() => response.json('slow down'), 4_998)],
        ['it streams an answer', (_request, response) => void response.write('slow ')],
        ['it returns the response', (_request, response) => response.json('slow down')],
        ['the next handler answers', (_request, response, next) => (response.on('finish', () => undefined), next())],
      ])('is not warned of where %s', async (_what, onDenied) => {
        expect(await warned(onDenied)).toEqual([[], []]);
      });
    });
  });

  it.each<[string, RateLimitOptions['skip']]>([
    ['at once', () => false],
    ['by promise', async () => false],
  ])(
    'is that of the error handler, once, when the handler throws behind a limiter that decides %s',
    async (_kind, skip) => {
      const { errors, site } = await opened(rateLimit({ ...one, skip: skip! }), () => {
        throw mine;
      });

      await site.send();

      expect(errors).toEqual([mine]);
    },
  );
});
