import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { by, createLimiter, memoryStore, type HttpRequest } from '@sluice/http';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import { MARK, texts, TRICKY, unwritable } from '../security/requests/samples.js';
import { closeServer, listen } from '../support/site.js';
import { until } from '../support/until.js';
import { openPage } from './open-page.js';

interface Client extends HttpRequest {
  readonly user: string;
}

/** Identities that no text of the dashboard has by itself. */
const identities = [...new Set([...texts, ...unwritable])].filter(
  (text) => text.includes(MARK) || TRICKY.includes(text),
);

describe('a dashboard of hostile clients', () => {
  const store = memoryStore();
  const limiter = createLimiter<Client>({
    store,
    name: 'minute',
    key: by('user', ({ user }: Client) => user, { otherwise: () => 'nameless' }),
    limit: 1,
    window: '1m',
  });
  let dashboard: Dashboard;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    dashboard = createDashboard({ store, readOnly: false, authorize: true });
    server = createServer(dashboard.handle);
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    dashboard.close();
    await closeServer(server);
  });

  it('sends no byte of an identity, also when a client is found or forgotten', async () => {
    const page = await openPage(url);
    const sent: string[] = [];
    const post = async (route: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}api/${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
      sent.push(JSON.stringify([...response.headers]), await response.text());
    };

    for (const identity of identities) {
      for (let times = 0; times < 3; times += 1) await limiter.consume({ user: identity });
    }
    await until(() => page.tick !== undefined && page.tick.top.denied.length > 0);
    for (const identity of identities) {
      await post('look', { kind: 'user', values: [identity] });
      await post('look', { kind: 'ip', values: [identity] });
      await post('look', { kind: 'composed', values: [`ip:${identity}`, `key:${identity}`] });
      await post('look', { kind: 'user', values: [identity], partition: identity });
      await post('look', { tier: 'minute', digest: identity });
      await post('forget', { kind: 'user', values: [identity] });
    }
    for (const path of ['', 'api/state', `api/${MARK}`, `?${MARK}`]) {
      const response = await fetch(url + path);
      sent.push(JSON.stringify([...response.headers]), await response.text());
    }
    page.close();

    const leaks = [...sent, page.text].filter((text) => [MARK, ...TRICKY].some((each) => text.includes(each)));
    expect(sent.length).toBeGreaterThan(identities.length);
    expect(leaks).toEqual([]);
  });
});
