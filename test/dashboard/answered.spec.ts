import { setImmediate } from 'node:timers/promises';
import { memoryStore } from '@sluice/core';
import { createDashboard, type Authorize, type Dashboard } from '@sluice/dashboard';
import { fastify } from 'fastify';
import { siteOpener } from '../support/site.js';
import { warningCatcher } from '../support/warnings.js';

/** By a time-out, or by a middleware that answers and goes on. */
describe('a response that the application has answered', () => {
  const openSite = siteOpener();
  warningCatcher();
  const unhandled = jest.fn();
  const opened: Dashboard[] = [];

  beforeEach(() => {
    unhandled.mockClear();
    process.on('unhandledRejection', unhandled);
  });

  afterEach(() => {
    process.off('unhandledRejection', unhandled);
    for (const dashboard of opened.splice(0)) dashboard.close();
  });

  const create = (authorize: Authorize) => {
    const dashboard = createDashboard({ store: memoryStore(), authorize });
    opened.push(dashboard);
    return dashboard;
  };

  it.each(['/', '/sluice', '/api/state', '/api/events', '/nothing'])('stays as it is: %s', async (path) => {
    const { handle } = create(true);
    const site = await openSite((request, response) => {
      response.writeHead(503).write('timed ');
      handle(request, response);
      void setImmediate().then(() => response.end('out'));
    });

    const { status, text } = await site.send({ path });
    await setImmediate();

    expect([status, text, unhandled.mock.calls]).toEqual([503, 'timed out', []]);
  });

  it.each<[string, () => boolean]>([
    ['admits the request', () => true],
    ['refuses the request', () => false],
    [
      'fails',
      () => {
        throw new Error('no database');
      },
    ],
  ])('stays as it is while authorize runs, which then %s', async (_what, decide) => {
    const { handle } = create(async () => {
      await setImmediate();
      return decide();
    });
    const site = await openSite((request, response) => {
      handle(request, response);
      response.writeHead(503).write('timed ');
      void setImmediate()
        .then(() => setImmediate())
        .then(() => response.end('out'));
    });

    const { status, text } = await site.send({ path: '/api/state' });

    expect([status, text, unhandled.mock.calls]).toEqual([503, 'timed out', []]);
  });

  it('stays as it is on Fastify, whose hooks have set headers', async () => {
    const errors: unknown[] = [];
    const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => errors.push(line) } } });
    app.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-frame-options', 'DENY');
      reply.raw.writeHead(503).write('timed ');
      void setImmediate().then(() => reply.raw.end('out'));
    });
    await app.register(create(true).fastify, { prefix: '/sluice' });

    const { status, text } = await (await openSite(app)).send({ path: '/sluice/api/state' });

    expect([status, text, errors]).toEqual([503, 'timed out', []]);
  });

  it('is ended if a middleware has made its methods throw', async () => {
    const { handle } = create(true);
    const site = await openSite((request, response) => {
      response.end = () => {
        throw new Error('a broken middleware');
      };
      handle(request, response);
    });

    await expect(site.send({ path: '/api/state' })).rejects.toThrow('socket hang up');

    expect(unhandled).not.toHaveBeenCalled();
  });
});
