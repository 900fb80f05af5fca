import { rateLimit, type HttpRequest } from '@sluice/express';
import type { Application, RequestHandler } from 'express';
import { limitFields, statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';
import { versions } from '../stacks/express.js';

const serve: RequestHandler = (_request, response) => void response.send('served');

describe.each(versions)('rateLimit on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (build: (app: Application) => unknown) => {
    const app = express();
    build(app);
    return open(app);
  };

  it('counts the requests of a router, and no others', async () => {
    const router = express.Router();
    router.use(rateLimit({ limit: 1, window: '1h' })).get('/inside', serve);
    const site = await opened((app) => app.use('/api', router).get('/outside', serve));

    const responses = await site.sendEach(gets('/outside', '/api/inside', '/outside', '/api/inside'));

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(limitFields(responses[2]!)).toEqual({});
  });

  it.each(['/API/x', '/api/x/', '/api/%78', '/api/x?y=1', '/Api/X//', '/api//x'])(
    'C50 counts %s in the budget of its path and of its route with parameters',
    async (path) => {
      const limit = () => rateLimit({ limit: 2, window: '1h' });
      const mounted = await opened((app) => app.use('/api', limit(), serve));
      const route = await opened((app) => app.get('/api/:id', limit(), serve));

      expect(statusesOf(await mounted.sendEach(gets('/api/x', path, path)))).toEqual([200, 200, 429]);
      expect(statusesOf(await route.sendEach(gets('/api/y', path.replaceAll(/\/+/g, '/'), '/api/z')))).toEqual([
        200, 200, 429,
      ]);
    },
  );

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
