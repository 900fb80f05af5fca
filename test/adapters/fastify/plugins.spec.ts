import { once } from 'node:events';
import cookie from '@fastify/cookie';
import redis from '@fastify/redis';
import session from '@fastify/session';
import websocket from '@fastify/websocket';
import { byIp, bySession, createLimiter, rateLimit, type HttpRequest } from '@sluice/fastify';
import { redisStore } from '@sluice/redis';
import { WebSocket } from 'ws';
import { startRedis } from '../../support/redis.js';
import { remainingOf, statusesOf } from '../../support/responses.js';
import type { TestResponse } from '../../support/site.js';
import { hourly, opener, served } from './application.js';

describe('the plugin for Fastify with @fastify/redis', () => {
  const open = opener();

  it('counts in the Redis of the application, and does not close its client', async () => {
    const server = await startRedis();
    const closed: string[] = [];
    const openOn = () =>
      open({
        async after(app) {
          await app.register(redis, { url: server.url });
          const store = redisStore(app.redis, { deadline: '5s' });
          await app.register(rateLimit, hourly(3, { store, name: 'hour' }));
          app.get('/', served).addHook('onClose', async () => void closed.push(await app.redis.ping()));
        },
      });
    const sites = [await openOn(), await openOn()];

    const responses: TestResponse[] = [];
    for (const site of [...sites, ...sites]) responses.push(await site.send());
    await Promise.all(sites.map((site) => site.close()));

    await server.stop();
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(closed).toEqual(['PONG', 'PONG']);
  });
});

describe('bySession with @fastify/session', () => {
  const open = opener();

  it('counts by session, and by address without one', async () => {
    const site = await open({
      before: (app) =>
        app
          .register(cookie)
          .register(session, { secret: 'of at least thirty-two characters', cookie: { secure: false } }),
      options: hourly(2, { key: bySession() }),
      after: (app) =>
        app.get('/', (request) => {
          request.session.set('user' as never, 'ada' as never);
          return 'served';
        }),
    });
    const [ada, bob] = await site.sendEach([{}, {}]);
    const cookieOf = ({ headers }: TestResponse) => ({ headers: { Cookie: headers['set-cookie']!.split(';')[0]! } });

    const responses = await site.sendEach([cookieOf(ada!), cookieOf(bob!), cookieOf(ada!), cookieOf(ada!), {}]);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('limits with @fastify/websocket', () => {
  const open = opener();

  it('count and deny upgrades like other requests', async () => {
    const site = await open({
      before: (app) => app.register(websocket),
      options: hourly(1),
      after: (app) => app.get('/', { websocket: true }, (socket) => socket.send('hello')),
    });

    const first = new WebSocket(`ws://127.0.0.1:${site.port}/`);
    const [message] = (await once(first, 'message')) as [Buffer];
    const second = new WebSocket(`ws://127.0.0.1:${site.port}/`);
    const [request, response] = (await once(second, 'unexpected-response')) as [
      { destroy(): void },
      { statusCode: number; headers: Record<string, string> },
    ];

    expect(String(message)).toBe('hello');
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'retry-after': expect.any(String) });
    request.destroy();
    first.close();
    await once(first, 'close');
  });

  it('count messages by the limiter of the upgrades', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 3, window: '1h' });
    const site = await open({
      before: (app) => app.register(websocket),
      options: { limiter },
      after: (app) =>
        app.get('/', { websocket: true }, (socket, request) => {
          const answer = async () => socket.send((await limiter.consume(request)).allowed ? 'allowed' : 'denied');
          socket.on('message', () => void answer());
        }),
    });
    const client = new WebSocket(`ws://127.0.0.1:${site.port}/`);
    await once(client, 'open');

    const replies: string[] = [];
    for (const message of ['a', 'b', 'c']) {
      client.send(message);
      const [response] = (await once(client, 'message')) as [Buffer];
      replies.push(String(response));
    }

    expect(replies).toEqual(['allowed', 'allowed', 'denied']);
    client.close();
    await once(client, 'close');
  });
});
