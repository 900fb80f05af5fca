import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLimiter, memoryStore } from '@sluice/core';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import { eventsIn, openPage } from '../dashboard/open-page.js';
import { closeServer, listen } from '../support/site.js';
import { until } from '../support/until.js';
import { documentOf, sluice, sluiceAlone } from './sluice.js';

describe('sluice top and tail', () => {
  const store = memoryStore();
  const limiter = createLimiter<string>({
    store,
    name: 'minute',
    key: (user) => user,
    label: (user) => (user === 'ada' ? 'Ada\u001b[2J' : undefined),
    limit: 2,
    window: '1m',
  });
  let dashboard: Dashboard;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    dashboard = createDashboard({ store, authorize: ({ headers }) => headers.authorization === 'Bearer key' });
    // Under a prefix that a proxy removes.
    server = createServer((request, response) => {
      request.url = request.url!.replace(/^\/sluice/, '');
      dashboard.handle(request, response);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sluice`;
    for (let times = 0; times < 5; times += 1) await limiter.consume('ada');
    for (let times = 0; times < 3; times += 1) await limiter.consume('grace');
  });

  afterAll(async () => {
    dashboard.close();
    await closeServer(server);
  });

  const env = { SLUICE_DASHBOARD_AUTHORIZATION: 'Bearer key' };

  it('list the clients that are denied most, by label or digest', async () => {
    const { code, stdout, stderr } = await sluiceAlone(['top', '--url', url], { env });

    const [head, first, second] = stdout.split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(/^client +tier +requests +share$/);
    expect(first).toMatch(/^Ada\\u\{1b\}\[2J \([\w-]{8}\) +minute +3 +75.0 %$/);
    expect(second).toMatch(/^[\w-]{8} +minute +1 +25.0 %$/);
    expect(stderr).toContain('no secret');
  });

  it('list them as a document', async () => {
    const run = await sluice(['top', '--url', url, '--json', '-n', '1'], { env });

    expect(documentOf(run)).toEqual({
      v: 1,
      by: 'denied',
      clients: [expect.objectContaining({ tier: 'minute', count: 3, error: 0, share: 0.75 })],
    });
  });

  it('read a dashboard without authorize by the link that it prints', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const other = createDashboard({ store });
    jest.restoreAllMocks();
    const site = createServer(other.handle);
    await listen(site);
    const link = `http://127.0.0.1:${(site.address() as AddressInfo).port}/?token=${other.token}`;

    const run = await sluice(['top', '--url', link]);
    other.close();
    await closeServer(site);

    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('no client was denied') });
  });

  it('follow decisions until the application ends, also when the dashboard checks their rights again', async () => {
    let minutes = 0;
    const other = createDashboard({ store, authorize: true, clock: () => performance.now() + minutes * 60_000 });
    const site = createServer(other.handle);
    await listen(site);
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

    const running = sluice(['tail', '--url', address, '--denied', '--json', '--quiet']);
    await once(site, 'request');
    minutes = 1;
    await once(site, 'request');
    // It gets what the command gets.
    const page = await openPage(address);
    for (let times = 0; times < 5; times += 1) await limiter.consume('joan');
    await until(() => eventsIn(page.text, 'tail').length > 0);
    other.close();
    const { code, stdout } = await running;
    await closeServer(site);

    const lines = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      lines.map(() => expect.objectContaining({ v: 1, reason: 'denied', tiers: ['minute'] })),
    );
    expect(stdout).not.toContain('joan');
  });

  it.each([
    [
      'no credentials',
      {},
      'pass the link with the token that the application prints, or set SLUICE_DASHBOARD_AUTHORIZATION',
    ],
    [
      'wrong ones',
      { SLUICE_DASHBOARD_AUTHORIZATION: 'Bearer other' },
      'its token, or SLUICE_DASHBOARD_AUTHORIZATION, is refused',
    ],
  ])('end with 3 with %s', async (_what, given, message) => {
    const run = await sluice(['top', '--url', url], { env: given });

    expect(run).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('end with 3 where the application answers with a page of its own', async () => {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html>');
    });
    await listen(site);

    const run = await sluice(['top', '--url', `http://127.0.0.1:${(site.address() as AddressInfo).port}/`]);
    await closeServer(site);

    expect(run).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('no dashboard for this client') });
  });

  it('end with 3 when there is no application', async () => {
    const run = await sluice(['top', '--url', 'http://127.0.0.1:1']);

    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('http://127.0.0.1:1/') });
  });

  it.each([
    ['an address without http', ['top', '--url', 'localhost']],
    ['a password in the address', ['tail', '--url', 'http://ada:secret@localhost/']],
    ['no address', ['tail']],
  ])('end with 2 with %s', async (_what, args) => {
    const run = await sluice(args);

    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).not.toContain('secret');
  });
});
