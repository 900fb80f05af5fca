import { rateLimit, type RateLimitOptions } from '@sluice/express';
import compression from 'compression';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { gunzipSync } from 'node:zlib';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

const limit = { limit: 2, window: '1h' } as const;

describe.each(versions)('Headers on %s', (_version, express) => {
  const open = siteOpener();

  /** A site, and what went wrong there. */
  const watched = async (...handlers: RequestHandler[]) => {
    const errors: unknown[] = [];
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      errors.push(error);
      response.end();
    };
    return { errors, site: await open(served(express, ...handlers).use(onError)) };
  };

  it('are not set when somebody has answered while a key was waited for, and the request goes no further', async () => {
    let decided = (): void => undefined;
    const counted = new Promise<void>((resolve) => (decided = resolve));
    const reached: string[] = [];
    const gate = rateLimit({
      ...limit,
      key: async () => {
        await new Promise(setImmediate);
        setImmediate(decided);
        return 'everybody';
      },
    });
    const { errors, site } = await watched(
      (_request, response, next) => {
        next();
        response.send('early');
      },
      gate,
      (_request, _response, next) => {
        reached.push('handler');
        next();
      },
    );

    const answer = await site.ask();
    await counted;

    expect(answer).toMatchObject({ status: 200, text: 'early' });
    expect(limitFields(answer)).toEqual({});
    expect({ errors, reached }).toEqual({ errors: [], reached: [] });
    const [inspection] = await gate.limiter.inspect({});
    expect(inspection!.outcome.remaining).toBe(1);
  });

  it('are not set when somebody has answered while a body was waited for', async () => {
    let made = (): void => undefined;
    const done = new Promise<void>((resolve) => (made = resolve));
    const body = async () => {
      await new Promise(setImmediate);
      setImmediate(made);
      return 'denied';
    };
    const { errors, site } = await watched(
      (_request, response, next) => {
        next();
        if (response.hasHeader('retry-after')) response.send('early');
      },
      rateLimit({ limit: 1, window: '1h', body }),
    );

    const answers = await site.askTimes(2);
    await done;

    expect(answers.map(({ text }) => text)).toEqual(['served', 'early']);
    expect(errors).toEqual([]);
  });

  it.each<[string, Partial<RateLimitOptions>]>([
    ['at once', {}],
    ['later', { skip: async () => false }],
  ])(
    'are not set when they have gone out before, where the limiter answers %s: a denial ends the response',
    async (_when, more) => {
      const flush: RequestHandler = (_request, response, next) => {
        response.flushHeaders();
        next();
      };
      const { errors, site } = await watched(
        flush,
        rateLimit({ ...limit, ...more } as RateLimitOptions),
        (_request, response) => {
          response.end('served');
        },
      );

      const answers = await site.askTimes(3);

      expect(answers.map(({ status, text }) => [status, text])).toEqual([
        [200, 'served'],
        [200, 'served'],
        [200, ''],
      ]);
      expect(answers.flatMap((answer) => Object.keys(limitFields(answer)))).toEqual([]);
      expect(errors).toEqual([]);
    },
  );

  it('are those of a stream that begins before it is known how it ends', async () => {
    const app = express();
    app.use(rateLimit(limit));
    app.get('/', (_request, response) => {
      response.write('one ');
      setImmediate(() => {
        response.write('two ');
        setImmediate(() => response.end('three'));
      });
    });

    const answer = await (await open(app)).ask();

    expect(answer).toMatchObject({ status: 200, text: 'one two three' });
    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'x-ratelimit-remaining': '1' });
  });

  it('are those of a response that is compressed, and of a denial that is', async () => {
    const site = await open(served(express, compression({ threshold: 0 }), rateLimit({ limit: 1, window: '1h' })));

    const answers = [];
    for (let asked = 0; asked < 2; asked += 1) {
      const request = get({ ...site.address, headers: { 'Accept-Encoding': 'gzip' } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const body = gunzipSync(Buffer.concat(await response.toArray())).toString();
      answers.push({ status: response.statusCode, body, headers: response.headers });
    }

    expect(answers).toMatchObject([
      { status: 200, headers: { 'content-encoding': 'gzip', 'x-ratelimit-remaining': '0' } },
      { status: 429, headers: { 'content-encoding': 'gzip', 'retry-after': expect.any(String) } },
    ]);
    expect(answers[0]!.body).toBe('served');
    expect(JSON.parse(answers[1]!.body)).toMatchObject({ status: 429 });
  });

  it('are those of 304 and of 204', async () => {
    const app = express();
    app.use(rateLimit({ limit: 3, window: '1h' }));
    app.get('/cached', (_request, response) => void response.send('cached'));
    app.get('/empty', (_request, response) => void response.status(204).end());
    const site = await open(app);
    const { etag = '' } = (await site.ask({ path: '/cached' })).headers;

    const answers = await site.askEach([{ path: '/cached', headers: { 'If-None-Match': etag } }, { path: '/empty' }]);

    expect(statusesOf(answers)).toEqual([304, 204]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0']);
  });

  it.each<[string, Partial<RateLimitOptions>]>([
    ['a problem', {}],
    ['a body of its own', { body: 'cached' }],
    ['an answer of onDenied', { onDenied: (_request, response) => void response.send('cached') }],
  ])('of a validator never make 304 of a denial with %s', async (_kind, more) => {
    const app = express();
    app.use(rateLimit({ limit: 1, window: '1h', ...more } as RateLimitOptions));
    app.get('/', (_request, response) => void response.send('cached'));
    const site = await open(app);
    const { etag = '' } = (await site.ask()).headers;

    const answers = await site.askEach(
      [etag, '*', `W/${etag}`].map((validator) => ({ headers: { 'If-None-Match': validator } })),
    );

    expect(statusesOf(answers)).toEqual([429, 429, 429]);
  });

  it.each<[string, RequestHandler]>([
    ['passed on', (_request, _response, next) => next(new Error('mine'))],
    [
      'thrown',
      () => {
        throw new Error('mine');
      },
    ],
  ])('are there, with the status that the error handler gives, for an error that is %s', async (_way, handler) => {
    const app = express().set('env', 'test');
    const onError: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(502).json({});
    app.use(rateLimit(limit), handler, onError);

    const answer = await (await open(app)).ask();

    expect(answer.status).toBe(502);
    expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
  });
});
