import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Session, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { memoryStore } from '@sluice/core';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import { until } from '../support/until.js';
import { eventsIn } from './open-page.js';

describe('a dashboard over HTTP/2', () => {
  let dashboard: Dashboard;
  let server: Http2Server;
  let client: ClientHttp2Session;
  let isPending: boolean;
  let received: number;
  let decide: () => void;

  beforeEach(async () => {
    [isPending, received] = [false, 0];
    const authorize = async () => {
      received += 1;
      if (isPending) await new Promise<void>((resolve) => (decide = resolve));
      return true;
    };
    dashboard = createDashboard({ store: memoryStore(), authorize });
    server = createServer(dashboard.handle as unknown as Parameters<typeof createServer>[1] & RequestListener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect(`http://localhost:${(server.address() as AddressInfo).port}`);
  });

  afterEach(async () => {
    dashboard.close();
    client.destroy();
    server.close();
    await once(server, 'close');
  });

  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const stream = client.request({ ':path': path, ...headers });
    const [response] = (await once(stream, 'response')) as [{ ':status': number }];
    stream.close();
    return response[':status'];
  };

  it('knows the origin of its page, and no other one', async () => {
    const own = `http://localhost:${(server.address() as AddressInfo).port}`;

    const statuses = [
      await statusOf('/api/state', { origin: own }),
      await statusOf('/api/state', { origin: 'null' }),
      await statusOf('/api/state', { origin: 'http://evil.example' }),
      await statusOf('/api/state', { 'sec-fetch-site': 'cross-site' }),
    ];

    expect(statuses).toEqual([200, 403, 403, 403]);
  });

  it('streams ticks', async () => {
    const stream = client.request({ ':path': '/api/events' });
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));

    await until(() => eventsIn(text, 'tick').length > 0);
    stream.close();

    expect(text).toMatch(/^retry: 2000\n\n/);
  });

  it('keeps no place for pages that leave while authorize is pending', async () => {
    isPending = true;
    for (let page = 1; page <= 11; page += 1) {
      const stream = client.request({ ':path': '/api/events' });
      await until(() => received === page);
      stream.close();
      await once(stream, 'close');
      // The server has read the end of the page when it answers the ping behind it.
      await new Promise<void>((resolve) => client.ping(() => resolve()));
      decide();
    }
    isPending = false;

    expect(await statusOf('/api/events')).toBe(200);
  });
});
