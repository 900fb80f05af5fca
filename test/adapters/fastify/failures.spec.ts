import { rateLimit, type HookOptions } from '@sluice/fastify';
import { fastify } from 'fastify';
import { siteOpener } from './site.js';

const served = () => 'served';

describe('An error of a function of the application', () => {
  const open = siteOpener();
  const broken = () => {
    throw new Error('broken');
  };
  const rejecting = async () => broken();

  it.each<[string, Partial<HookOptions>]>([
    ['skip', { skip: broken }],
    ['skip, async', { skip: rejecting }],
    ['cost', { cost: broken }],
    ['cost, async', { cost: rejecting }],
    ['key', { key: broken }],
    ['key, async', { key: rejecting }],
    ['limit', { limit: broken }],
    ['a cost that is none', { cost: () => 0.5 }],
  ])('reaches the error handler once: %s', async (_what, options) => {
    const handled: unknown[] = [];
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => {
      handled.push(error);
      return reply.code(500).send('handled');
    });
    await app.register(rateLimit, { limit: 1, window: '1h', ...options } as HookOptions);
    const handler = jest.fn(served);
    app.get('/', handler);
    const site = await open(app);

    const answer = await site.ask();

    expect(answer).toMatchObject({ status: 500, text: 'handled' });
    expect(handled).toEqual([expect.objectContaining({ name: 'UsageError' })]);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([
    ['body', { body: broken }],
    ['body, async', { body: rejecting }],
  ])('reaches the error handler once: %s', async (_what, options) => {
    const handled: unknown[] = [];
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => {
      handled.push(error);
      return reply.code(500).send('handled');
    });
    await app.register(rateLimit, { limit: 1, window: '1h', ...options });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach([{}, {}]);

    expect(answers[1]).toMatchObject({ status: 500, text: 'handled' });
    expect(handled).toEqual([expect.objectContaining({ code: 'FUNCTION_FAILED' })]);
  });

  it('is none where somebody has answered while a body was made', async () => {
    const lines: string[] = [];
    const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
    app.addHook('onRequest', (_request, reply, done) => {
      done();
      if (reply.hasHeader('retry-after')) reply.send('early');
    });
    await app.register(rateLimit, { limit: 1, window: '1h', body: async () => 'denied' });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach([{}, {}]);

    expect(answers.map(({ text }) => text)).toEqual(['served', 'early']);
    expect(lines).toEqual([]);
  });

  it('in a handler behind a limiter that waited is handled once', async () => {
    const handled: unknown[] = [];
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => {
      handled.push(error);
      return reply.code(500).send('handled');
    });
    await app.register(rateLimit, { limit: 5, window: '1h', key: async () => 'all' });
    app.get('/', broken);
    const site = await open(app);

    expect(await site.ask()).toMatchObject({ status: 500, text: 'handled' });
    expect(handled).toEqual([expect.objectContaining({ message: 'broken' })]);
  });
});
