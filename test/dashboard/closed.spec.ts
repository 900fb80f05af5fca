import type { IncomingMessage } from 'node:http';
import { memoryStore } from '@sluice/core';
import { createDashboard, type Dashboard, type DashboardOptions } from '@sluice/dashboard';
import type { Site, TestRequest, TestResponse } from '../support/site.js';
import { until } from '../support/until.js';
import { warningCatcher } from '../support/warnings.js';
import { mounts, PREFIX } from './mounts.js';
import { openPage } from './open-page.js';

const JSON_BODY = { 'content-type': 'application/json' };

describe.each(mounts)('a dashboard on %s', (_name, mount) => {
  const warnings = warningCatcher();
  const opened: { site: Site; dashboard: Dashboard }[] = [];
  let printed: string[];

  beforeEach(() => {
    printed = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const { site, dashboard } of opened.splice(0)) {
      dashboard.close();
      await site.close();
    }
  });

  const open = async (options: Partial<DashboardOptions> = {}) => {
    const dashboard = createDashboard({ store: memoryStore(), ...options });
    const site = await mount(dashboard);
    opened.push({ site, dashboard });
    return { site, dashboard, cookie: `sluice-dashboard-${site.port}=${dashboard.token}` };
  };

  it('answers a request without its token as the application does where nothing is mounted', async () => {
    const { site } = await open();
    const wrong: TestRequest[] = [
      {},
      { path: '/?token=wrong' },
      { path: '/api/state' },
      { path: '/api/events' },
      { path: '/icon.svg' },
      { path: '/api/state', headers: { authorization: 'Bearer wrong' } },
      { path: '/api/state', headers: { cookie: `sluice-dashboard-${site.port}=wrong` } },
      { path: '/api/look', method: 'POST', headers: JSON_BODY, body: '{"kind":"ip","values":["::1"]}' },
      { path: '/api/forget', method: 'POST', headers: JSON_BODY, body: '{"kind":"ip","values":["::1"]}' },
    ];

    const at = (prefix: string) => wrong.map((each): TestRequest => ({ ...each, path: prefix + (each.path ?? '') }));
    const refused = await site.sendEach(at(PREFIX));
    const unknown = await site.sendEach(at('/a/slabce'));

    expect(refused.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect(refused.map(comparable)).toEqual(unknown.map(comparable));
  });

  it('opens by the link with the token, by a cookie that no script and no other site can send', async () => {
    const { site, dashboard } = await open();
    const token = dashboard.token!;

    const slash = await site.send({ path: `${PREFIX}?token=${token}` });
    const link = await site.send({ path: `${PREFIX}/?token=${token}` });
    const cookie = link.headers['set-cookie']!;
    const page = await site.send({ path: `${PREFIX}/`, headers: { cookie: `other=1; ${cookie.split(';')[0]!}` } });
    const program = await site.send({ path: `${PREFIX}/api/state`, headers: { authorization: `Bearer ${token}` } });

    expect([slash.status, slash.headers['location']]).toEqual([308, `sluice/?token=${token}`]);
    expect([link.status, link.headers['location'], link.headers['cache-control']]).toEqual([303, './', 'no-store']);
    expect(cookie).toBe(`sluice-dashboard-${site.port}=${token}; HttpOnly; SameSite=Strict`);
    expect([page.status, program.status]).toEqual([200, 200]);
    expect(token).toMatch(/^[\w-]{22}$/);
  });

  it('prints its token at the start, and its whole link once it has refused a page', async () => {
    const { site, dashboard } = await open();
    const before = [...printed];

    await site.send({ path: `${PREFIX}/api/state`, headers: { host: 'evil.example' } });
    await site.send({ path: `${PREFIX}/` });

    expect(before).toEqual([
      `Sluice dashboard: add ?token=${dashboard.token} to its address, such as http://localhost:3000/sluice/?token=${dashboard.token}\n`,
    ]);
    expect(printed.slice(1)).toEqual([
      `Sluice dashboard: http://localhost:${site.port}${PREFIX}/?token=${dashboard.token}\n`,
    ]);
  });

  it('is closed in production, prints no token, and warns of it', async () => {
    jest.replaceProperty(process, 'env', { ...process.env, NODE_ENV: 'production' });
    const { site, dashboard } = await open();

    const responses = await site.sendEach(
      ['', '/', '/?token=undefined', '/api/state'].map((path) => ({ path: PREFIX + path })),
    );

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect([dashboard.token, printed]).toEqual([undefined, []]);
    expect(warnings()).toEqual([['SLUICE_DASHBOARD_CLOSED', expect.stringContaining('pass authorize')]]);
  });

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['another site in an older browser', { origin: 'https://evil.example' }],
    ['a frame without an origin in an older browser', { origin: 'null' }],
  ])('lets no page of %s read, although CORS of the application does', async (_what, headers) => {
    const { site, cookie } = await open();

    const answers = await site.sendEach(
      ['/', '/api/state', '/api/events'].map((path) => ({ path: PREFIX + path, headers: { ...headers, cookie } })),
    );

    const permits = answers.flatMap(({ names }) => names.filter((name) => /^access-control-/i.test(name)));
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    expect(permits).toEqual([]);
  });

  it('frees the places of pages that leave while authorize is pending', async () => {
    let decide = () => {};
    const decided = new Promise<void>((resolve) => (decide = resolve));
    const pending: IncomingMessage[] = [];
    const authorize = async (request: IncomingMessage) => {
      pending.push(request);
      await decided;
      return true;
    };
    const { site } = await open({ authorize });

    const leaving = Array.from({ length: 12 }, () => site.start({ path: `${PREFIX}/api/events` }));
    for (const request of leaving) request.on('error', () => undefined);
    await until(() => pending.length === leaving.length);
    for (const request of leaving) request.destroy();
    await until(() => pending.every(({ socket }) => socket.destroyed));
    decide();
    const page = await openPage(`http://127.0.0.1:${site.port}${PREFIX}/`);
    page.close();

    expect(page.status).toBe(200);
  });

  it('ends a page after a minute, and checks its rights when it connects again', async () => {
    let now = 0;
    let isAllowed = true;
    const { site } = await open({ authorize: () => isAllowed, clock: () => now });
    const url = `http://127.0.0.1:${site.port}${PREFIX}/`;
    const page = await openPage(url);

    now = 59_999;
    await until(() => page.tick !== undefined);
    const wasOpen = !page.hasEnded;
    isAllowed = false;
    now = 60_000;
    await until(() => page.hasEnded);
    const again = await openPage(url);

    expect(wasOpen).toBe(true);
    expect(page.text).toMatch(/event: renew\ndata: \{\}\n\n$/);
    expect(again.status).toBe(404);
  });
});

/** Without what differs between two answers of one route. */
function comparable({ status, reason, headers, names, text }: TestResponse) {
  const { date: _date, etag: _etag, ...others } = headers;
  return { status, reason, others, names, text: text.replaceAll('slabce', 'sluice') };
}
