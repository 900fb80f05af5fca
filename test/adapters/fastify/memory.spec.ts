import { byIp, createLimiter, rateLimit, type HttpRequest } from '@sluice/fastify';
import { fastify, type FastifyRequest } from 'fastify';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { gets, siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('the plugin for Fastify without a store', () => {
  const open = siteOpener();

  it('keeps the limits of a scope in one memory store, and closes it with the app', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h', headers: ['draft-11'] });
    const hook = app.rateLimit({ limit: 5, window: '1h' });
    const same = app.rateLimit({ name: 'default', limit: 5, window: '1h' });
    app.get('/', served);
    const site = await open(app);
    const client = { ip: '127.0.0.1' } as FastifyRequest;

    const response = await site.send();

    expect(membersOf(response, 'ratelimit')).toMatchObject([{ name: 'default', r: 4 }]);
    expect(await same.limiter.peek(client)).toMatchObject({ outcomes: [{ tier: 'default', remaining: 4 }] });
    await app.close();
    for (const { limiter } of [hook, same]) {
      await expect((async () => limiter.peek(client))()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }
  });

  it('gives routes a memory store of their scope next to a shared limiter', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1h' });
    const app = fastify();
    await app.register(rateLimit, { limiter });
    const search = { rateLimit: { name: 'search', limit: 1, window: '1h' } } as const;
    app.get('/a', { config: search }, served);
    app.get('/b', { config: search }, served);
    const site = await open(app);

    expect(statusesOf(await site.sendEach(gets('/a', '/b')))).toEqual([200, 429]);
  });

  it('gives a child scope and a second registration their own memory stores', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 2, window: '1h' });
    await app.register(rateLimit, { limit: 3, window: '1h' });
    app.register(async (child) => {
      await child.register(rateLimit, { limit: 1, window: '1h' });
      child.get('/child', served);
    });
    app.get('/', served);
    const site = await open(app);

    const responses = await site.sendEach(gets('/child', '/', '/'));

    expect(statusesOf(responses)).toEqual([200, 200, 429]);
    expect(remainingOf(responses)).toEqual([0, 0, 0]);
  });
});
