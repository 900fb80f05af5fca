import { byHeader, createLimiter, memoryStore, rateLimit, type Decision, type HttpRequest } from '@sluice/express';
import type { Request } from 'express';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

describe.each(versions)('rateLimit on %s', (_version, express) => {
  const open = siteOpener();

  describe('where it stands', () => {
    it('counts every request of an app, those that nobody serves as well', async () => {
      const app = express();
      app.use(rateLimit({ limit: 3, window: '1h' }));
      app.get('/a', (_request, response) => void response.send('a'));
      app.post('/b', (_request, response) => void response.send('b'));
      const site = await open(app);

      const answers = await site.askEach([
        { path: '/a' },
        { method: 'POST', path: '/b' },
        { path: '/nowhere' },
        { path: '/a' },
      ]);

      expect(statusesOf(answers)).toEqual([200, 200, 404, 429]);
    });

    it('counts the requests of a router, and no others', async () => {
      const app = express();
      const router = express.Router();
      router.use(rateLimit({ limit: 1, window: '1h' }));
      router.get('/inside', (_request, response) => void response.send('inside'));
      app.use('/api', router);
      app.get('/outside', (_request, response) => void response.send('outside'));
      const site = await open(app);

      const answers = await site.askEach(
        ['/outside', '/api/inside', '/outside', '/api/inside'].map((path) => ({ path })),
      );

      expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
      expect(limitFields(answers[2]!)).toEqual({});
    });

    it('counts the requests of a route and of a method, and no others', async () => {
      const app = express();
      app.post('/login', rateLimit({ limit: 1, window: '1h' }), (_request, response) => void response.send('in'));
      app.get('/login', (_request, response) => void response.send('form'));
      const site = await open(app);

      const answers = await site.askEach(['GET', 'POST', 'GET', 'POST'].map((method) => ({ method, path: '/login' })));

      expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
    });

    it('counts with several limiters, of which the first that denies ends the request', async () => {
      const outer = rateLimit({ limit: 3, window: '1h' });
      const inner = rateLimit({ limit: 1, window: '1h' });
      const app = express();
      app.use(outer);
      app.get('/', inner, (_request, response) => void response.send('served'));
      const site = await open(app);

      const answers = await site.askTimes(4);

      expect(statusesOf(answers)).toEqual([200, 429, 429, 429]);
      expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['1', '1', '1', '3']);
    });

    it('counts in one budget wherever a limiter that is shared stands', async () => {
      const limiter = createLimiter<Request>({ key: byHeader('x-tenant'), limit: 2, window: '1h' });
      const app = express();
      app.get('/a', rateLimit(limiter), (_request, response) => void response.send('a'));
      app.get('/b', rateLimit({ limiter, headers: [] }), (_request, response) => void response.send('b'));
      const site = await open(app);

      const answers = await site.askEach(['/a', '/b', '/a', '/b'].map((path) => ({ path })));

      expect(statusesOf(answers)).toEqual([200, 200, 429, 429]);
      expect(answers.map((answer) => Object.keys(limitFields(answer)).length)).toEqual([3, 0, 4, 1]);
    });

    it('counts in one budget where two limiters have the same tier on one store', async () => {
      const store = memoryStore();
      const options = { store, name: 'hour', limit: 2, window: '1h' } as const;
      const app = express();
      app.get('/a', rateLimit(options), (_request, response) => void response.send('a'));
      app.get('/b', rateLimit(options), (_request, response) => void response.send('b'));
      const site = await open(app);

      const answers = await site.askEach(['/a', '/b', '/a'].map((path) => ({ path })));

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
    });
  });

  describe('the methods of HTTP', () => {
    it('counts HEAD with GET', async () => {
      const app = express();
      app.get('/', rateLimit({ limit: 2, window: '1h' }), (_request, response) => void response.send('served'));
      const site = await open(app);

      const answers = await site.askEach(['GET', 'HEAD', 'HEAD', 'GET'].map((method) => ({ method })));

      expect(statusesOf(answers)).toEqual([200, 200, 429, 429]);
    });

    it('does not count what a browser asks before it asks', async () => {
      const site = await open(served(express, rateLimit({ limit: 1, window: '1h' })));
      const preflight = {
        method: 'OPTIONS',
        headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'DELETE' },
      };

      const answers = await site.askEach([preflight, preflight, {}, preflight, {}]);

      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 429]);
      expect(limitFields(answers[3]!)).toEqual({});
    });
  });

  describe('the decision', () => {
    it('is on the request and in the locals of the response, for what comes after', async () => {
      const seen: unknown[] = [];
      const gate = rateLimit({ limit: 10, window: '1h' });
      const site = await open(
        served(express, gate, (request, response, next) => {
          seen.push(request.rateLimit, response.locals.rateLimit, gate.decision(request));
          next();
        }),
      );

      await site.ask();

      const decision = { allowed: true, reason: 'ok', source: 'memory', binding: { limit: 10, remaining: 9 } };
      expect(seen).toMatchObject([decision, decision, decision]);
      expect(new Set(seen).size).toBe(1);
    });

    it('is there for onDenied', async () => {
      const seen: (Decision | undefined)[] = [];
      const gate = rateLimit({
        limit: 1,
        window: '1h',
        onDenied: (request, response) => {
          seen.push(request.rateLimit, response.locals.rateLimit, gate.decision(request));
          response.end();
        },
      });
      const site = await open(served(express, gate));

      await site.askEach([{}, {}]);

      expect(seen).toMatchObject(Array.from(seen, () => ({ allowed: false, reason: 'denied', deniedBy: ['default'] })));
    });

    it('is that of the limiter which has decided last, and of each where its middleware is asked', async () => {
      const seen: unknown[] = [];
      const [first, second] = [10, 20].map((limit) => rateLimit({ limit, window: '1h' }));
      const site = await open(
        served(express, first!, second!, (request, _response, next) => {
          const decisions = [request.rateLimit, first!.decision(request), second!.decision(request)];
          seen.push(...decisions.map((decision) => decision?.binding?.limit));
          next();
        }),
      );

      await site.ask();

      expect(seen).toEqual([20, 10, 20]);
    });

    it('is none of a request that was not counted', async () => {
      const seen: unknown[] = [];
      const gate = rateLimit({ limit: 10, window: '1h', skip: () => true });
      const site = await open(
        served(express, gate, (request, response, next) => {
          seen.push(request.rateLimit, response.locals.rateLimit, gate.decision(request));
          next();
        }),
      );

      await site.ask();

      expect(seen).toEqual([undefined, undefined, undefined]);
    });
  });

  it('has its limiter, to reset and to inspect what it counts', async () => {
    const gate = rateLimit({ limit: 1, window: '1h' });
    const site = await open(served(express, gate));
    await site.ask();
    const [spent] = await gate.limiter.inspect({ ip: '127.0.0.1' } satisfies HttpRequest);

    const denied = await site.ask();
    await gate.limiter.reset({ ip: '127.0.0.1' });
    const again = await site.ask();

    expect(spent!.outcome.remaining).toBe(0);
    expect(statusesOf([denied, again])).toEqual([429, 200]);
  });
});
