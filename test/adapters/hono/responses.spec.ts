import { createLimiter, limited, rateLimit, type HonoSubject, type HttpRequest } from '@sluice/hono';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { timeout } from 'hono/timeout';
import { methodOf } from '../decorators/frameworks.js';

const LIMIT = { limit: 2, window: '1m', ip: () => '203.0.113.7' } as const;
const remainingOf = ({ headers }: Response) => headers.get('x-ratelimit-remaining');

/** Statuses and units that remain, of requests one after the other. */
async function sendTimes(times: number, app: Hono, path = '/', init?: RequestInit): Promise<Response[]> {
  const responses: Response[] = [];
  for (let count = 0; count < times; count += 1) responses.push(await app.request(path, init));
  return responses;
}

describe('rateLimit of Hono', () => {
  it('limits an app without a server, and leaves its decision in the context', async () => {
    const app = new Hono();
    const limit = rateLimit(LIMIT);
    app.use(limit);
    app.get('/', (c) => c.json([c.get('rateLimit')?.binding?.remaining, limit.decision(c) === c.var.rateLimit]));

    const responses = await sendTimes(3, app);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await responses[0]!.json()).toEqual([1, true]);
    expect(await responses[2]!.json()).toMatchObject({ status: 429, 'violated-policies': ['default'] });
    expect(responses[2]!.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it.each<[string, (c: never) => string]>([
    ['a header of c', (c: Context) => c.req.header('x-key')!],
    ['a variable of c', (c: Context) => c.get('user') as string],
  ])('says that functions get a subject, to a key that is written for c: %s', async (_what, key) => {
    const errors: Error[] = [];
    const app = new Hono().use(rateLimit({ ...LIMIT, key: key as never })).onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });

    await app.request('/');

    const hint =
      'On Hono the function gets a subject, and c is its context: write ({ context }) => context.req.header(…)';
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(hint) })]);
  });

  it.each<[string, (c: Context) => Response | Promise<Response>]>([
    ['a text', (c) => c.text('served')],
    ['a response of its own', () => new Response('served', { headers: { 'x-own': 'yes' } })],
    ['a response of fetch(), whose headers cannot be changed', () => Response.redirect('https://a.example', 302)],
    ['nothing it knows', (c) => c.notFound()],
    ['an error', () => Promise.reject(new Error('mine'))],
    [
      'an error with a response',
      () => Promise.reject(new HTTPException(401, { res: new Response('no', { status: 401 }) })),
    ],
  ])('adds its headers to %s', async (_what, handle) => {
    const app = new Hono();
    app.onError((error, c) => (error instanceof HTTPException ? error.getResponse() : c.text('failed', 500)));
    app.use(rateLimit(LIMIT));
    app.get('/', handle);

    expect(remainingOf(await app.request('/'))).toBe('1');
  });

  it('counts requests without a route, on the app and where no other middleware runs', async () => {
    const app = new Hono();
    app.use(rateLimit(LIMIT));

    const responses = await sendTimes(3, app, '/nowhere');

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 429]);
    expect(responses.map(remainingOf)).toEqual(['1', '0', '0']);
  });

  it('reports the limits of an app, of a mounted one and of a route together', async () => {
    const drafts = { ...LIMIT, headers: ['draft-11'] as const };
    const inner = new Hono().get('/items', rateLimit({ ...drafts, name: 'items', limit: 1 }), (c) => c.text('items'));
    const app = new Hono();
    app.use(rateLimit({ ...drafts, name: 'all', limit: 5 }));
    app.route('/api', inner);

    const responses = await sendTimes(2, app, '/api/items');

    expect(responses.map(({ status }) => status)).toEqual([200, 429]);
    expect(responses.map(({ headers }) => headers.get('ratelimit')?.replaceAll(/;t=\d+/g, ''))).toEqual([
      '"all";r=4, "items";r=0',
      '"all";r=3, "items";r=0',
    ]);
  });

  it.each(['before', 'after'])(
    'exposes its headers beside those of cors() %s it, and keeps those of cors()',
    async (place) => {
      const allowing = cors({ origin: 'https://a.example', exposeHeaders: ['ETag'] });
      const app = new Hono();
      app.use(...(place === 'before' ? [allowing, rateLimit(LIMIT)] : [rateLimit(LIMIT), allowing]));
      app.get('/', (c) => c.text('served'));

      const responses = await sendTimes(3, app, '/', { headers: { origin: 'https://a.example' } });
      const exposed = responses.map(({ headers }) => headers.get('access-control-expose-headers'));

      expect(exposed.slice(0, 2)).toEqual(
        Array.from({ length: 2 }, () =>
          'ETag,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset'.replaceAll(',', ', '),
        ),
      );
      expect(exposed[2]).toMatch(place === 'before' ? /^ETag, .*Retry-After$/ : /^X-RateLimit-Limit, .*Retry-After$/);
      // A limit before cors() answers a denied request itself.
      expect(responses[2]!.headers.get('access-control-allow-origin')).toBe(
        place === 'before' ? 'https://a.example' : null,
      );
    },
  );

  it('lets preflights pass uncounted', async () => {
    const app = new Hono();
    app.use(rateLimit(LIMIT), cors());
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };

    const responses = await sendTimes(3, app, '/', { method: 'OPTIONS', headers });

    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(responses.map(remainingOf)).toEqual([null, null, null]);
  });

  it.each<[string, (c: Context) => Response, number, string]>([
    ['with the status of the denial', (c) => c.text('slow down'), 429, 'slow down'],
    ['with a status of its own', (c) => c.json('busy', 503), 503, '"busy"'],
    [
      'with an error for the error handler',
      () => {
        throw new HTTPException(420 as 429, { message: 'calm' });
      },
      420,
      'calm',
    ],
  ])('lets `onDenied` answer %s, behind the headers', async (_how, onDenied, status, text) => {
    const app = new Hono();
    app.use(rateLimit({ ...LIMIT, limit: 1, onDenied }));
    app.get('/', (c) => c.text('served'));

    const [, denied] = await sendTimes(2, app);

    expect([denied!.status, await denied!.text()]).toEqual([status, text]);
    expect([denied!.headers.get('retry-after'), remainingOf(denied!)]).toEqual(['60', '0']);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'undefined'],
    ['an object', { error: 'slow down' }, 'an object'],
  ])('rejects for the error handler where `onDenied` returns %s', async (_what, result, got) => {
    const errors: Error[] = [];
    const app = new Hono();
    app.onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });
    app.use(rateLimit({ ...LIMIT, limit: 1, onDenied: (() => result) as never }));
    app.get('/', (c) => c.text('served'));

    const [, denied] = await sendTimes(2, app);

    const message = `rateLimit: onDenied must return a Response: write (c) => c.json({ … }), got ${got}`;
    expect([denied!.status, errors]).toMatchObject([500, [{ code: 'FUNCTION_FAILED', message }]]);
  });

  it('lets `onDenied` pass a request on', async () => {
    const app = new Hono();
    app.use(
      rateLimit({ ...LIMIT, limit: 1, onDenied: (async (_c: Context, next: () => Promise<void>) => next()) as never }),
    );
    app.get('/', (c) => c.text('served', 200));

    const [, denied] = await sendTimes(2, app);

    expect([denied!.status, await denied!.text()]).toEqual([200, 'served']);
  });

  it('sends the error of a function to the error handler, and does not run the handler', async () => {
    const errors: Error[] = [];
    const app = new Hono();
    let handled = 0;
    app.onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });
    app.use(rateLimit({ ...LIMIT, key: ({ context }) => (context.get('user') as { id: string }).id }));
    app.get('/', (c) => c.text(String((handled += 1))));

    const { status, headers } = await app.request('/');

    expect([status, handled, [...headers.keys()].filter((name) => name.includes('ratelimit'))]).toEqual([500, 0, []]);
    expect(errors).toMatchObject([{ name: 'UsageError', code: 'FUNCTION_FAILED' }]);
  });

  it('gives functions the context, and what authentication has put there', async () => {
    const seen: unknown[] = [];
    const key = ({ context, user, auth, session, query, ip }: HonoSubject) => {
      seen.push([context.req.param('id'), user, auth, session, query['q'], ip]);
      return 'all';
    };
    const app = new Hono<{ Variables: { user: string; jwtPayload: string; session: string } }>();
    app.use(async (c, next) => {
      c.set('user', 'u');
      c.set('jwtPayload', 'a');
      c.set('session', 's');
      await next();
    });
    app.get('/:id', rateLimit({ ...LIMIT, key }), (c) => c.text('served'));

    await app.request('/7?q=x');

    expect(seen).toEqual([['7', 'u', 'a', 's', 'x', '203.0.113.7']]);
  });

  it('has its limiter, and the subject of a request for it', async () => {
    const app = new Hono();
    const limit = rateLimit(LIMIT);
    app.use(limit);
    app.get('/', async (c) => c.json(await limit.limiter.refund(c.get('rateLimit')!)));
    app.get('/left', async (c) => c.json((await limit.limiter.peek(limit.subject(c))).binding?.remaining));

    expect([await (await app.request('/')).json(), await (await app.request('/left')).json()]).toEqual([1, 1]);
  });

  it.each(['/', '/dropped'])('ends the permit of %s without a server', async (path) => {
    const limiter = createLimiter<HttpRequest>({ key: () => 'all', algorithm: 'concurrency', limit: 5 });
    const app = new Hono();
    if (path === '/dropped') app.use(timeout(1));
    app.use(rateLimit({ limiter }));
    app.get('/', (c) => c.text('served'));
    app.get('/dropped', async (c) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return c.body(null);
    });

    await (await app.request(path)).text();
    await (await app.request(path, { method: 'HEAD' })).text();
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 5 }] });
  });

  it('ends a permit when the handler fails with what is no Error', async () => {
    const limiter = createLimiter<HttpRequest>({ key: () => 'all', algorithm: 'concurrency', limit: 5 });
    const app = new Hono();
    app.use(rateLimit({ limiter }));
    // oxlint-disable-next-line typescript/only-throw-error -- Hono hands on what is no Error
    app.get('/', () => {
      throw 'text';
    });

    await expect(async () => app.request('/')).rejects.toBe('text');
    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 5 }] });
  });
});

describe('limited of Hono', () => {
  class Api {
    readonly name = 'api';

    login(c: Context): Response {
      return c.text(`${this.name} ${c.get('rateLimit')?.binding?.remaining}`);
    }

    async fails(_c: Context): Promise<Response> {
      throw new Error('mine');
    }
  }
  // As compilers call a decorator. Those of other frameworks have specs with compilers.
  for (const [name, limit] of [
    ['login', 1],
    ['fails', 2],
  ] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(Api.prototype, name)!;
    Object.defineProperty(Api.prototype, name, limited({ ...LIMIT, limit })(Api.prototype, name, descriptor));
  }

  it('limits a method, and binds it', async () => {
    const api = new Api();
    const app = new Hono().get('/', methodOf(api, 'login') as never);

    const responses = await sendTimes(2, app);

    expect(responses.map(({ status }) => status)).toEqual([200, 429]);
    expect(await responses[0]!.text()).toBe('api 0');
  });

  it('leaves its errors to the error handler, with the headers', async () => {
    const app = new Hono()
      .get('/', methodOf(new Api(), 'fails') as never)
      .onError((error, c) => c.text(error.message, 500));

    const response = await app.request('/');

    expect([response.status, await response.text(), remainingOf(response)]).toEqual([500, 'mine', '1']);
  });
});
