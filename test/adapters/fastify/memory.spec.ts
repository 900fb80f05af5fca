import { byIp, createLimiter, rateLimit, type HttpRequest } from '@sluice/fastify';
import { fastify, type FastifyRequest } from 'fastify';
import { membersOf, statusesOf } from '../express/fields.js';
import { paths, remaining, siteOpener } from './site.js';

const served = () => 'served';

describe('Without a store the plugin', () => {
  const open = siteOpener();

  it('keeps the limits of a scope in one memory, which ends with the app', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 5, window: '1h', headers: ['draft-11'] });
    const hook = app.rateLimit({ limit: 5, window: '1h' });
    const same = app.rateLimit({ name: 'default', limit: 5, window: '1h' });
    app.get('/', served);
    const site = await open(app);
    const client = { ip: '127.0.0.1' } as FastifyRequest;

    const answer = await site.ask();

    expect(membersOf(answer, 'ratelimit')).toMatchObject([{ name: 'default', r: 4 }]);
    expect(await same.limiter.peek(client)).toMatchObject({ outcomes: [{ tier: 'default', remaining: 4 }] });
    await app.close();
    for (const { limiter } of [hook, same]) {
      await expect((async () => limiter.peek(client))()).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    }
  });

  it('has a memory of its scope for routes beside a limiter that is shared', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 5, window: '1h' });
    const app = fastify();
    await app.register(rateLimit, { limiter });
    const search = { rateLimit: { name: 'search', limit: 1, window: '1h' } } as const;
    app.get('/a', { config: search }, served);
    app.get('/b', { config: search }, served);
    const site = await open(app);

    expect(statusesOf(await site.askEach(paths('/a', '/b')))).toEqual([200, 429]);
  });

  it('keeps what is registered inside, or a second time, in a memory of its own', async () => {
    const app = fastify();
    await app.register(rateLimit, { limit: 2, window: '1h' });
    await app.register(rateLimit, { limit: 3, window: '1h' });
    app.register(async (child) => {
      await child.register(rateLimit, { limit: 1, window: '1h' });
      child.get('/child', served);
    });
    app.get('/', served);
    const site = await open(app);

    const answers = await site.askEach(paths('/child', '/', '/'));

    expect(statusesOf(answers)).toEqual([200, 200, 429]);
    expect(remaining(answers)).toEqual([0, 0, 0]);
  });
});
