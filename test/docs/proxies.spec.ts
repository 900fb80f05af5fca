import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import { rateLimit } from '@sluice/express';
import { rateLimit as plugin } from '@sluice/fastify';
import express from 'express';
import { fastify, type FastifyServerOptions } from 'fastify';
import { closeServer } from '../support/site.js';
import { page, sectionOf } from './pages.js';

const LIMIT = { limit: 100, window: '1m' } as const;
const CLIENTS = ['198.51.100.7', '198.51.100.8', '2001:db8:7::1'];
/** Some of what https://www.cloudflare.com/ips/ lists. */
const CLOUDFLARE = ['173.245.48.0/20', '103.21.244.0/22', '2400:cb00::/32'];

/** What an application sees of a request. */
interface Arrival {
  /** The address of the connection. */
  readonly peer: string;
  readonly forwarded: readonly string[];
}

/** What a provider makes of a client, and of what the client says of itself. As the provider documents it. */
type Chain = (client: string, claimed: readonly string[]) => Arrival;

const appending =
  (peer: string, ...proxies: readonly string[]): Chain =>
  (client, claimed) => ({ peer, forwarded: [...claimed, client, ...proxies] });

const chains: Readonly<Record<string, Chain>> = {
  nothing: (client, claimed) => ({ peer: client, forwarded: claimed }),
  'nginx, Caddy or HAProxy, the same machine': appending('127.0.0.1'),
  'nginx, Caddy or HAProxy, a private network': appending('172.18.0.2'),
  'AWS ALB': (client, claimed) => ({
    peer: '10.0.3.7',
    // With routing.http.xff_client_port.enabled.
    forwarded: [...claimed, client.includes(':') ? `[${client}]:51234` : `${client}:51234`],
  }),
  'CloudFront, then ALB': appending('10.0.3.7', '130.176.1.9'),
  Heroku: appending('10.1.2.3'),
  'Fly.io': appending('172.16.4.2', '66.241.124.1'),
  Vercel: (client) => ({ peer: '127.0.0.1', forwarded: [client] }),
  'Google Cloud Run': appending('169.254.8.129'),
  'Google load balancer, then Cloud Run': appending('169.254.8.129', '34.120.1.1'),
  Cloudflare: appending('173.245.48.10'),
  'Cloudflare, then nginx on the same machine': appending('127.0.0.1', '2400:cb00::10'),
};

/** Serves an application to connections whose address the test chooses, and returns what is left after each request. */
async function leftAfter(server: Server, arrivals: readonly Arrival[]): Promise<readonly number[]> {
  const left: number[] = [];
  for (const { peer, forwarded } of arrivals) {
    server.once('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: peer }));
    const headers = { connection: 'close', ...(forwarded.length > 0 && { 'x-forwarded-for': forwarded.join(', ') }) };
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
    left.push(Number(response.headers.get('x-ratelimit-remaining')));
  }
  return left;
}

async function serveExpress(code: string): Promise<Server> {
  const app = express();
  runInNewContext(code, { app, cloudflare: CLOUDFLARE });
  app.use(rateLimit(LIMIT));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function serveFastify(code: string): Promise<Server> {
  const options = runInNewContext(`({ ${code} })`, { cloudflare: CLOUDFLARE }) as FastifyServerOptions;
  const app = fastify({ ...options, forceCloseConnections: true });
  await app.register(plugin, LIMIT);
  app.get('/', () => 'hello');
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

const rows = [...sectionOf(page('docs/guide/proxies.md').text, 'trust proxy by provider').matchAll(/^\| (.+) \|$/gm)]
  .slice(2)
  .map(([, row = '']) => row.split(' | ').map((cell) => cell.trim().replaceAll('`', '')) as [string, string, string]);

describe('docs/guide/proxies.md', () => {
  beforeEach(() => jest.spyOn(process, 'emitWarning').mockImplementation());
  afterEach(() => jest.restoreAllMocks());

  it('has a row for each chain of proxies', () => {
    expect(rows.map(([provider]) => provider)).toEqual(Object.keys(chains));
  });

  describe.each(rows)('behind %s', (provider, onExpress, onFastify) => {
    const chain = chains[provider]!;

    it.each([
      [onExpress, serveExpress],
      [onFastify, serveFastify],
    ])('%s gives each client a limit, and none for a forged header', async (code, serve) => {
      const server = await serve(code);
      const claims = [[], ['203.0.113.1'], ['127.0.0.1'], ['203.0.113.2', '10.0.0.1'], ['not an address']];
      const left: (readonly number[])[] = [];
      for (const client of CLIENTS)
        left.push(
          await leftAfter(
            server,
            claims.map((claimed) => chain(client, claimed)),
          ),
        );
      await closeServer(server);

      expect(left).toEqual(CLIENTS.map(() => [99, 98, 97, 96, 95]));
    });
  });
});
