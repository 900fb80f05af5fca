import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { byIp, createLimiter, rateLimit, type HttpRequest } from '@sluice/express';
import type { Request, Response } from 'express';
import { WebSocket, WebSocketServer } from 'ws';
import { statusesOf } from '../../support/responses.js';
import { siteOpener } from '../../support/site.js';
import { versions } from '../stacks/express.js';

describe.each(versions)('limiter.consume next to %s', (_version, express) => {
  const open = siteOpener();
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  });

  const hourly = (limit: number) => createLimiter<HttpRequest>({ key: byIp(), limit, window: '1h' });

  it('counts upgrades to WebSocket, which bypass middleware, in the budget of the address', async () => {
    const limiter = hourly(3);
    const app = express();
    app.get('/', rateLimit(limiter), (_request, response) => void response.send('served'));
    const server = createServer(app);
    servers.push(server);
    const sockets = new WebSocketServer({ noServer: true });
    const welcome = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const { allowed } = await limiter.consume(request);
      if (allowed) sockets.handleUpgrade(request, socket, head, (client) => client.close());
      else socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\r\n');
    };
    server.on('upgrade', (request, socket, head) => void welcome(request, socket, head));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;

    const statuses = [];
    for (const way of ['ws', 'http', 'ws', 'ws', 'http']) {
      statuses.push(way === 'ws' ? await upgrade(place) : (await fetch(`http://${place}`)).status);
    }

    expect(statuses).toEqual([101, 200, 101, 429, 429]);
  });

  it('survives clients that disconnect while an upgrade is counted', async () => {
    const limiter = createLimiter<HttpRequest>({ key: async () => 'all', limit: 3, window: '1h' });
    const server = createServer();
    servers.push(server);
    const left: Promise<unknown>[] = [];
    server.on('upgrade', (request, socket) => {
      // As in the guide: nothing else listens yet.
      socket.on('error', () => socket.destroy());
      left.push(new Promise((resolve) => void socket.once('close', () => resolve(true))));
      void Promise.resolve(limiter.consume(request)).then(() =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    for (let client = 0; client < 5; client += 1) {
      const socket = connect(port, '127.0.0.1');
      const upgraded = once(server, 'upgrade');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      await upgraded;
      socket.resetAndDestroy();
    }

    expect(await Promise.all(left)).toHaveLength(5);
  });

  it('counts every part of a batch, and admits all parts or none', async () => {
    const limiter = hourly(10);
    const app = express();
    app.get('/', rateLimit(limiter), (_request, response) => void response.send('served'));
    const batched = async (request: Request, response: Response) => {
      const { allowed, binding } = await limiter.consume(request, { cost: (request.body as unknown[]).length });
      response.status(allowed ? 200 : 429).json({ remaining: binding!.remaining });
    };
    app.post('/batch', express.json(), (request, response, next) => void batched(request, response).catch(next));
    const site = await open(app);
    const batch = (size: number) => ({
      method: 'POST',
      path: '/batch',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Array.from({ length: size }, () => 'part')),
    });

    const answers = await site.sendEach([batch(7), {}, batch(3), batch(2), {}]);

    expect(statusesOf(answers)).toEqual([200, 200, 429, 200, 429]);
    expect(answers[2]!.text).toBe('{"remaining":2}');
  });

  it('counts a request by the same address as the middleware does', async () => {
    const limiter = hourly(2);
    const app = express();
    app.set('trust proxy', 1);
    app.get('/', rateLimit(limiter), (_request, response) => void response.send('served'));
    const own = async (request: Request, response: Response) => {
      const { allowed } = await limiter.consume(request);
      response.json(allowed);
    };
    app.get('/own', (request, response, next) => void own(request, response).catch(next));
    const site = await open(app);
    const headers = { 'X-Forwarded-For': '198.51.100.7' };

    const answers = await site.sendEach([
      { path: '/own', headers },
      { path: '/', headers },
      { path: '/own', headers },
      { path: '/own' },
    ]);

    expect(answers.map(({ text }) => text)).toEqual(['true', 'served', 'false', 'true']);
  });
});

/** The status of the response to an upgrade. */
async function upgrade(place: string): Promise<number> {
  const socket = new WebSocket(`ws://${place}`);
  const refused = once(socket, 'unexpected-response').then(
    ([, response]) => (response as { statusCode: number }).statusCode,
  );
  const opened = once(socket, 'close').then(() => 101);
  socket.on('error', () => undefined);
  return Promise.race([refused, opened]);
}
