import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { startNginx } from '../nginx/nginx-server.js';
import { startHaproxy } from './haproxy-server.js';

/** In front of an application. */
export interface Proxy {
  readonly port: number;
  stop(): Promise<unknown>;
}

/** Proxies without settings: none of them says that it has forwarded a request. */
export const proxies: readonly [name: string, start: (appPort: number) => Promise<Proxy>][] = [
  ['nginx', (port) => startNginx(port, { directives: '' })],
  ['HAProxy in http mode', (port) => startHaproxy(port, 'http')],
  ['HAProxy in tcp mode', (port) => startHaproxy(port, 'tcp')],
  ['a forwarder of TCP', startForwarder],
];

/** As `ssh -R`, stunnel and container runtimes. */
async function startForwarder(appPort: number): Promise<Proxy> {
  const server = createServer((client) => {
    const app = connect(appPort, '127.0.0.1');
    for (const [from, to] of [
      [client, app],
      [app, client],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, stop: async () => server.close() };
}
