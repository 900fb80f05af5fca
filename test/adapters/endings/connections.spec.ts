import { once, type EventEmitter } from 'node:events';
import { createServer, request as startRequest, type RequestListener, type ServerResponse } from 'node:http';
import { connect, createServer as createHttp2Server, constants } from 'node:http2';
import { connect as connectSocket, type AddressInfo, type Server } from 'node:net';
import websocket from '@fastify/websocket';
import { createGate, releaseOnClose, type HttpRequest, type Limiter } from '@sluice/http';
import { createAdaptorServer } from '@hono/node-server';
import { rateLimit } from '@sluice/fastify';
import { rateLimit as honoLimit } from '@sluice/hono';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { WebSocket } from 'ws';
import { withRedis } from '../../support/redis-store.js';
import { permitsOn, type Permits } from './permits.js';

const closers: (() => unknown)[] = [];
const redis = withRedis();
let permits: Permits;

beforeEach(() => {
  permits = permitsOn(redis.client);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.unshift(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Work that ends when its client leaves. */
function closeOf(response: ServerResponse & { readonly stream?: EventEmitter }): Promise<unknown> {
  // Over HTTP/2 a response may miss the end of its stream.
  return new Promise((resolve) => void (response.stream ?? response).once('close', () => resolve(undefined)));
}

/** The gate, and a handler that answers `/` and never anything else. */
function listenerOf(limiter: Limiter<HttpRequest>): RequestListener {
  const gate = createGate<HttpRequest>({ limiter });
  return (request, response) => {
    void Promise.resolve(gate.admit(Object.assign(request, { ip: '127.0.0.1' }), response)).then(({ state }) => {
      if (state === 'admitted' && request.url === '/') response.end('served');
    });
  };
}

async function fastifyApp(options: object = {}) {
  const app = fastify(options);
  await app.register(rateLimit, { limiter: permits.limiter });
  app.get('/', () => 'served');
  app.get('/hangs', (_request, reply) => closeOf(reply.raw));
  closers.unshift(() => app.close());
  return app;
}

function honoApp() {
  const app = new Hono();
  app.use(honoLimit({ limiter: permits.limiter }));
  app.get('/', (c) => c.text('served'));
  app.get('/hangs', async (c) => {
    await closeOf((c.env as { readonly outgoing: ServerResponse }).outgoing);
    return c.body(null);
  });
  return app;
}

async function portOf(app: Awaited<ReturnType<typeof fastifyApp>>): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

describe.each([
  ['node:http2', async () => listening(createHttp2Server(listenerOf(permits.limiter) as never))],
  ['Fastify with http2', async () => portOf(await fastifyApp({ http2: true }))],
  [
    'Hono with http2',
    async () => listening(createAdaptorServer({ fetch: honoApp().fetch, createServer: createHttp2Server }) as Server),
  ],
])('a permit of a stream of %s', (_name, open) => {
  const connected = async () => {
    const session = connect(`http://127.0.0.1:${await open()}`);
    session.on('error', () => undefined);
    closers.unshift(() => session.destroy());
    const start = (path: string) => {
      const stream = session.request({ ':path': path });
      stream.on('error', () => undefined);
      return stream;
    };
    return { session, start };
  };

  it('ends with the response, on a connection that stays', async () => {
    const { start } = await connected();

    const streams = ['/', '/', '/'].map((path) => start(path).resume());
    await Promise.all(streams.map((stream) => once(stream, 'end')));

    await expect(permits.held(0)).resolves.toBeUndefined();
  });

  it('ends when the client cancels it, and its connection stays', async () => {
    const { start } = await connected();
    const streams = [start('/hangs'), start('/hangs')];
    await permits.held(2);

    streams[0]!.close(constants.NGHTTP2_CANCEL);
    await permits.held(1);
    streams[1]!.close(constants.NGHTTP2_CANCEL);

    await expect(permits.held(0)).resolves.toBeUndefined();
  });

  it('ends with the session', async () => {
    const { session, start } = await connected();
    for (let count = 0; count < 3; count += 1) start('/hangs');
    await permits.held(3);

    session.destroy();

    await expect(permits.held(0)).resolves.toBeUndefined();
  });

  it('ends when the client has cancelled it before the decision', async () => {
    const { start } = await connected();
    const streams = Array.from({ length: 8 }, () => start('/hangs'));

    for (const stream of streams) setImmediate(() => stream.close(constants.NGHTTP2_CANCEL));
    await Promise.all(streams.map((stream) => stream.closed || once(stream, 'close')));
    const last = start('/').resume();
    await once(last, 'end');

    await expect(permits.held(0)).resolves.toBeUndefined();
  });
});

describe('a permit on Fastify', () => {
  it('ends with the response of inject()', async () => {
    const app = await fastifyApp();

    const { statusCode } = await app.inject('/');

    expect(statusCode).toBe(200);
    await expect(permits.held(0)).resolves.toBeUndefined();
  });

  it('ends with a response that the handler has hijacked', async () => {
    const app = await fastifyApp();
    app.get('/hijacks', (_request, reply) => {
      reply.hijack();
      if (_request.headers['x-end']) reply.raw.end('mine');
    });
    const port = await portOf(app);
    const start = (headers: Record<string, string>) => {
      const request = startRequest({ host: '127.0.0.1', port, path: '/hijacks', headers, agent: false });
      request.on('error', () => undefined).end();
      return request;
    };

    const leaving = start({});
    await permits.held(1);
    leaving.destroy();
    await permits.held(0);
    await once(start({ 'x-end': 'yes' }), 'response');

    await expect(permits.held(0)).resolves.toBeUndefined();
  });

  it('is held as long as its WebSocket is open', async () => {
    const app = fastify();
    await app.register(websocket);
    await app.register(rateLimit, { limiter: permits.limiter });
    app.get('/socket', { websocket: true }, (socket) => socket.send('hello'));
    closers.unshift(() => app.close());
    const port = await portOf(app);
    const clients = [1, 2].map(() => new WebSocket(`ws://127.0.0.1:${port}/socket`));
    await Promise.all(clients.map((client) => once(client, 'message')));
    await permits.held(2);

    clients[0]!.close();
    await permits.held(1);
    clients[1]!.terminate();

    await expect(permits.held(0)).resolves.toBeUndefined();
  });
});

describe('a permit of an upgrade with releaseOnClose', () => {
  it.each(['client', 'server'] as const)(
    'ends when the %s closes the socket, also before the decision',
    async (side) => {
      const server = createServer();
      server.on('upgrade', (request, socket) => {
        // As a WebSocket server: the sockets of upgrades stay half open.
        socket
          .on('error', () => undefined)
          .on('end', () => socket.end())
          .resume();
        void Promise.resolve(permits.limiter.consume(Object.assign(request, { ip: '127.0.0.1' }))).then((decision) => {
          releaseOnClose(decision, { socket });
          socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
          if (side === 'server') setTimeout(() => socket.destroy(), 100);
        });
      });
      const port = await listening(server);
      const open = async () => {
        const socket = connectSocket(port, '127.0.0.1').on('error', () => undefined);
        socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        await once(server, 'upgrade');
        return socket;
      };

      const early = await open();
      early.destroy();
      const late = await open();
      await once(late, 'data');
      if (side === 'client') late.destroy();

      await expect(permits.held(0)).resolves.toBeUndefined();
    },
  );
});
