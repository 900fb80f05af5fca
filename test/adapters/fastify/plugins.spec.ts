import { once } from 'node:events';
import cookie from '@fastify/cookie';
import redis from '@fastify/redis';
import session from '@fastify/session';
import websocket from '@fastify/websocket';
import { byIp, bySession, createLimiter, rateLimit, redisStore, type HttpRequest } from '@sluice/fastify';
import { fastify } from 'fastify';
import { WebSocket } from 'ws';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { remainingOf, statusesOf } from '../../support/responses.js';
import { type TestResponse, siteOpener } from '../../support/site.js';

const served = () => 'served';

describe('the plugin for Fastify with @fastify/redis', () => {
  const open = siteOpener();
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(() => server.stop());

  it('counts in the Redis of the application, and does not close its client', async () => {
    const apps = await Promise.all(
      [1, 2].map(async () => {
        const app = fastify();
        await app.register(redis, { url: server.url });
        const store = redisStore(app.redis, { deadline: '5s' });
        await app.register(rateLimit, { store, name: 'hour', limit: 3, window: '1h' });
        app.get('/', served);
        app.addHook('onClose', async () => void closed.push(await app.redis.ping()));
        return app;
      }),
    );
    const closed: string[] = [];
    const sites = await Promise.all(apps.map((app) => open(app)));

    const responses: TestResponse[] = [];
    for (const site of [...sites, ...sites]) responses.push(await site.send());

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    await Promise.all(apps.map((app) => app.close()));
    expect(closed).toEqual(['PONG', 'PONG']);
  });
});

describe('bySession with @fastify/session', () => {
  const open = siteOpener();

  it('counts by session, and by address without one', async () => {
    const app = fastify();
    await app.register(cookie);
    await app.register(session, {
      secret: 'a secret of at least thirty-two characters',
      cookie: { secure: false },
    });
    await app.register(rateLimit, { limit: 2, window: '1h', key: bySession() });
    app.get('/', (request) => {
      request.session.set('user' as never, 'ada' as never);
      return 'served';
    });
    const site = await open(app);
    const [ada, bob] = await site.sendEach([{}, {}]);
    const cookieOf = ({ headers }: TestResponse) => ({ headers: { Cookie: headers['set-cookie']!.split(';')[0]! } });

    const responses = await site.sendEach([cookieOf(ada!), cookieOf(bob!), cookieOf(ada!), cookieOf(ada!), {}]);

    expect(statusesOf(responses)).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('limits with @fastify/websocket', () => {
  const open = siteOpener();

  it('count and deny upgrades like other requests', async () => {
    const app = fastify();
    await app.register(websocket);
    await app.register(rateLimit, { limit: 1, window: '1h' });
    app.get('/', { websocket: true }, (socket) => socket.send('hello'));
    const site = await open(app);

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
    const app = fastify();
    await app.register(websocket);
    await app.register(rateLimit, { limiter });
    app.get('/', { websocket: true }, (socket, request) => {
      const answer = async () => {
        const { allowed } = await limiter.consume(request);
        socket.send(allowed ? 'allowed' : 'denied');
      };
      socket.on('message', () => void answer());
    });
    const site = await open(app);
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
