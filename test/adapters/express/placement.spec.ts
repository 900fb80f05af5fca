import { byHeader, createLimiter, memoryStore, rateLimit, type HttpRequest } from '@sluice/express';
import type { Application, Request, RequestHandler } from 'express';
import { limitFields, statusesOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';
import { versions } from '../stacks/express.js';

const serve: RequestHandler = (_request, response) => void response.send('served');
const gets = (...paths: string[]) => paths.map((path) => ({ path }));

describe.each(versions)('rateLimit on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (build: (app: Application) => unknown) => {
    const app = express();
    build(app);
    return open(app);
  };

  it('counts every request of an app, also those without a route', async () => {
    const site = await opened((app) =>
      app
        .use(rateLimit({ limit: 3, window: '1h' }))
        .get('/a', serve)
        .post('/b', serve),
    );

    const responses = await site.sendEach([
      { path: '/a' },
      { method: 'POST', path: '/b' },
      { path: '/nowhere' },
      { path: '/a' },
    ]);

    expect(statusesOf(responses)).toEqual([200, 200, 404, 429]);
  });

  it('counts the requests of a router, and no others', async () => {
    const router = express.Router();
    router.use(rateLimit({ limit: 1, window: '1h' })).get('/inside', serve);
    const site = await opened((app) => app.use('/api', router).get('/outside', serve));

    const responses = await site.sendEach(gets('/outside', '/api/inside', '/outside', '/api/inside'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(limitFields(responses[2]!)).toEqual({});
  });

  it('counts the requests of a method, and no others', async () => {
    const site = await opened((app) =>
      app.post('/login', rateLimit({ limit: 1, window: '1h' }), serve).get('/login', serve),
    );

    const responses = await site.sendEach(['GET', 'POST', 'GET', 'POST'].map((method) => ({ method, path: '/login' })));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
  });

  it('ends a request at the first of several limiters that denies it', async () => {
    const [outer, inner] = [3, 1].map((limit) => rateLimit({ limit, window: '1h' }));
    const site = await opened((app) => app.use(outer!).get('/', inner!, serve));

    const responses = await site.sendTimes(4);

    expect(statusesOf(responses)).toEqual([200, 429, 429, 429]);
    expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['1', '1', '1', '3']);
  });

  it('shares the budget of a limiter, with the headers of each middleware', async () => {
    const limiter = createLimiter<Request>({ key: byHeader('x-tenant'), limit: 2, window: '1h' });
    const site = await opened((app) =>
      app.get('/a', rateLimit(limiter), serve).get('/b', rateLimit({ limiter, headers: [] }), serve),
    );

    const responses = await site.sendEach(gets('/a', '/b', '/a', '/b'));

    expect(statusesOf(responses)).toEqual([200, 200, 429, 429]);
    expect(responses.map((response) => Object.keys(limitFields(response)).length)).toEqual([3, 0, 4, 1]);
  });

  it('shares the budget of a tier of one name on one store', async () => {
    const options = { store: memoryStore(), name: 'hour', limit: 2, window: '1h' } as const;
    const site = await opened((app) => app.get('/a', rateLimit(options), serve).get('/b', rateLimit(options), serve));

    expect(statusesOf(await site.sendEach(gets('/a', '/b', '/a')))).toEqual([200, 200, 429]);
  });

  it.each(['/API/x', '/api/x/', '/api/%78', '/api/x?y=1', '/Api/X//', '/api//x'])(
    'C50 counts %s in the budget of its route',
    async (path) => {
      const site = await opened((app) => app.use('/api', rateLimit({ limit: 2, window: '1h' }), serve));

      expect(statusesOf(await site.sendEach(gets('/api/x', path, path)))).toEqual([200, 200, 429]);
    },
  );

  it('C50 has one budget for a route with parameters', async () => {
    const site = await opened((app) => app.get('/items/:id', rateLimit({ limit: 3, window: '1h' }), serve));

    const responses = await site.sendEach(gets('/items/1', '/ITEMS/2', '/items/%33/', '/items/4'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
  });

  it('puts the decision on the request and in the locals, also for onDenied', async () => {
    const seen: unknown[] = [];
    const see: RequestHandler = (request, response) => {
      seen.push([request.rateLimit, response.locals.rateLimit, gate.decision(request)]);
      response.end();
    };
    const gate = rateLimit({ limit: 1, window: '1h', onDenied: see });
    const site = await opened((app) => app.use(gate, see));

    await site.sendTimes(2);

    const admitted = { allowed: true, reason: 'ok', source: 'memory', binding: { limit: 1, remaining: 0 } };
    const denied = { allowed: false, reason: 'denied', deniedBy: ['default'] };
    expect(seen).toMatchObject([
      [admitted, admitted, admitted],
      [denied, denied, denied],
    ]);
  });

  it('puts the last of several decisions on the request, and keeps each with its middleware', async () => {
    const seen: unknown[] = [];
    const [first, second] = [10, 20].map((limit) => rateLimit({ limit, window: '1h' }));
    const site = await opened((app) =>
      app.use(first!, second!, (request: Request, response) => {
        const decisions = [request.rateLimit, first!.decision(request), second!.decision(request)];
        seen.push(...decisions.map((decision) => decision?.binding?.limit));
        response.end();
      }),
    );

    await site.send();

    expect(seen).toEqual([20, 10, 20]);
  });

  it('offers its limiter, to inspect and reset budgets', async () => {
    const gate = rateLimit({ limit: 1, window: '1h' });
    const site = await opened((app) => app.use(gate, serve));
    await site.send();
    const [spent] = await gate.limiter.inspect({ ip: '127.0.0.1' } satisfies HttpRequest);

    const denied = await site.send();
    await gate.limiter.reset({ ip: '127.0.0.1' });
    const again = await site.send();

    expect(spent!.outcome.remaining).toBe(0);
    expect(statusesOf([denied, again])).toEqual([429, 200]);
  });
});
