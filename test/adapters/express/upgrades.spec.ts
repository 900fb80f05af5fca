import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { byIp, createLimiter, rateLimit, type HttpRequest } from '@sluice/express';
import { WebSocket, WebSocketServer } from 'ws';
import { closeServer, listen } from '../../support/site.js';
import { versions } from '../stacks/express.js';

describe.each(versions)('limiter.consume next to %s', (_version, express) => {
  const servers: Server[] = [];

  afterEach(() => Promise.all(servers.splice(0).map(closeServer)));

  const portOf = async (server: Server) => {
    servers.push(server);
    return ((await listen(server)) as { port: number }).port;
  };

  it('counts upgrades to WebSocket, which bypass middleware, in the budget of the address', async () => {
    const limiter = createLimiter<HttpRequest>({ key: byIp(), limit: 3, window: '1h' });
    const app = express();
    app.get('/', rateLimit({ limiter }), (_request, response) => void response.send('served'));
    const server = createServer(app);
    const sockets = new WebSocketServer({ noServer: true });
    const welcome = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const { allowed } = await limiter.consume(request);
      if (allowed) sockets.handleUpgrade(request, socket, head, (client) => client.close());
      else socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\r\n');
    };
    server.on('upgrade', (request, socket, head) => void welcome(request, socket, head));
    const place = `127.0.0.1:${await portOf(server)}`;

    const statuses = [];
    for (const way of ['ws', 'http', 'ws', 'ws', 'http']) {
      statuses.push(way === 'ws' ? await upgrade(place) : (await fetch(`http://${place}`)).status);
    }

    expect(statuses).toEqual([101, 200, 101, 429, 429]);
  });

  it('survives clients that disconnect while an upgrade is counted', async () => {
    const limiter = createLimiter<HttpRequest>({ key: async () => 'all', limit: 3, window: '1h' });
    const server = createServer();
    const left: Promise<unknown>[] = [];
    server.on('upgrade', (request, socket) => {
      // As in the guide: nothing else listens yet.
      socket.on('error', () => socket.destroy());
      left.push(new Promise((resolve) => void socket.once('close', () => resolve(true))));
      void Promise.resolve(limiter.consume(request)).then(() =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      );
    });
    const port = await portOf(server);

    for (let client = 0; client < 5; client += 1) {
      const socket = connect(port, '127.0.0.1');
      const upgraded = once(server, 'upgrade');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      await upgraded;
      socket.resetAndDestroy();
    }

    expect(await Promise.all(left)).toHaveLength(5);
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
