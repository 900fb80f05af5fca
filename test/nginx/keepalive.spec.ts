import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { page } from '../docs/pages.js';
import { startNginx } from './nginx-server.js';

/** Connections that an application gets for ten requests, one after the other. */
async function connectionsFor(keepalive: number): Promise<number> {
  let connections = 0;
  const app = createServer((_request, response) => response.end('done')).on('connection', () => (connections += 1));
  await once(app.listen(0, '127.0.0.1'), 'listening');
  const nginx = await startNginx((app.address() as AddressInfo).port, { keepalive });
  for (let request = 0; request < 10; request += 1) {
    await (await fetch(`http://127.0.0.1:${nginx.port}/`)).text();
  }
  await nginx.stop();
  app.closeAllConnections();
  app.close();
  return connections;
}

describe('nginx in front of an application', () => {
  it('opens a connection for each request by default, and keeps them with `keepalive`', async () => {
    const [, recipe = ''] = /```nginx\n([^]+?)```/.exec(page('docs/guide/overload.md').text) ?? [];
    const [byDefault, kept] = [await connectionsFor(0), await connectionsFor(256)];

    expect(byDefault).toBe(10);
    expect(kept).toBe(1);
    for (const directive of ['keepalive 256;', 'proxy_http_version 1.1;', 'proxy_set_header Connection "";']) {
      expect(recipe).toContain(directive);
    }
  });
});
