import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  by,
  byIp,
  createLimiter,
  memoryStore,
  redisStore,
  type HttpRequest,
  type Limiter,
  type Store,
} from '@sluice/core';
import { createDashboard } from '@sluice/dashboard';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { patient } from '../../packages/core/src/testing/internal/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { mounts, PREFIX } from '../dashboard/mounts.js';
import { closeServer, listen, type Site } from '../support/site.js';
import { until } from '../support/until.js';
import { openPage, startBrowser, type WatchedPage } from './browser.js';

const HOSTILE = '<img src=x onerror="document.title=1">';

let browser: Browser;
let redis: RedisServer;

beforeAll(async () => {
  [browser, redis] = await Promise.all([startBrowser(), startRedis()]);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await redis.stop();
});

/** Clients that tests name in a header, and whose denials end in seconds. */
const SOON = '203.0.113.';

/** Limiters that share a store: for clients of `SOON`, and for others. */
function limitersOf(store: Store, prefix: string): readonly [soon: Limiter<HttpRequest>, late: Limiter<HttpRequest>] {
  const key = ({ headers = {} }: HttpRequest) => byIp()({ ip: headers['x-client'] as string });
  const soon = createLimiter<HttpRequest>({
    store,
    prefix,
    tiers: [
      { name: 'ip-hour', key, limit: 1_000, window: '1h' },
      { name: 'ip-second', key, algorithm: 'fixed-window', limit: 2, window: '3s' },
      { name: 'account', key: by('account', () => HOSTILE), limit: 1_000, window: '1m', mode: 'shadow' },
    ],
  });
  const texts = { label: () => HOSTILE, record: () => HOSTILE };
  return [soon, createLimiter<HttpRequest>({ store, prefix, name: 'ip-day', key, limit: 2, window: '1d', ...texts })];
}

let tests = 0;

/** What a test has opened: closed after it, also when it fails, or the process would not end. */
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

interface Scene {
  /** Of the page. */
  readonly url: string;
  /** The statuses of requests of a client, one after the other. */
  readonly send: (ip: string, times?: number) => Promise<number[]>;
}

async function scene(mount: (typeof mounts)[number][1]): Promise<Scene> {
  // A browser that starts beside it may keep Redis waiting.
  const store = redisStore({ url: redis.url }, patient);
  const [soon, late] = limitersOf(store, `t${(tests += 1)}`);
  await store.ready();
  const dashboard = createDashboard({ store, readOnly: false, authorize: true });
  const site = await mount(dashboard);
  const decide = async (request: IncomingMessage, response: ServerResponse) => {
    const isSoon = String(request.headers['x-client']).startsWith(SOON);
    const { allowed } = await (isSoon ? soon : late).consume(request);
    response.writeHead(allowed ? 200 : 429).end();
  };
  const api = createServer((request, response) => void decide(request, response));
  const { port } = (await listen(api)) as { port: number };
  opened.push(
    () => store.close(),
    () => closeServer(api),
    () => site.close(),
    () => dashboard.close(),
  );
  return {
    url: pageOf(site),
    async send(ip, times = 1) {
      const statuses: number[] = [];
      for (let sent = 0; sent < times; sent += 1) {
        statuses.push((await fetch(`http://127.0.0.1:${port}`, { headers: { 'x-client': ip } })).status);
      }
      return statuses;
    },
  };
}

/** A page of its own for a test. */
async function open(url: string, options?: BrowserContextOptions): Promise<WatchedPage> {
  const watched = await openPage(browser, url, options);
  opened.push(() => watched.page.context().close());
  return watched;
}

/** Without the slash at its end: the page leads to it. */
function pageOf({ port }: Site): string {
  return `http://127.0.0.1:${port}${PREFIX}`;
}

async function findAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Find' }).click();
}

describe.each(mounts)('The dashboard on %s, in a browser,', (_name, mount) => {
  it('counts what clients saw, finds a denied one, waits with it and forgets it', async () => {
    const { url, send } = await scene(mount);
    const { page, troubles } = await open(url);
    const seen = [...(await send('203.0.113.7', 5)), ...(await send('203.0.113.8', 1))];

    const totalOf = (name: string) => page.locator(`[data-total=${name}]`);
    await expectText(totalOf('allowed'), String(seen.filter((status) => status === 200).length));
    await expectText(totalOf('denied'), String(seen.filter((status) => status === 429).length));
    await findAddress(page, '203.0.113.7');
    const fits = page.locator('[data-tier=ip-second][data-allowed] [data-fits]');
    await fits.waitFor();
    const denied = await fits.innerText();
    // The page counts down to the moment, and then asks the store.
    await page.locator('[data-tier=ip-second][data-allowed]').waitFor({ state: 'detached' });
    const waited = await send('203.0.113.7');
    await send('198.51.100.7', 5);
    await findAddress(page, '198.51.100.7');
    await page.locator('[data-tier=ip-day][data-allowed=false]').waitFor();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByText('Forgotten in').waitFor();
    const released = await send('198.51.100.7');

    expect(seen).toEqual([200, 200, 429, 429, 429, 200]);
    expect(denied).toMatch(/^Denies: fits in .+, at \d\d:\d\d:\d\d\.$/);
    expect([...waited, ...released]).toEqual([200, 200]);
    expect(troubles).toEqual([]);
  }, 60_000);
});

describe('The dashboard, in a browser,', () => {
  const [, mountOnExpress] = mounts[0]!;

  it('shows hostile labels and recorded texts as texts', async () => {
    const { url, send } = await scene(mountOnExpress);
    const { page, troubles } = await open(url);
    await send('198.51.100.9', 4);

    await page.locator('.top .row', { hasText: HOSTILE }).click();
    await page.getByText('Recorded, newest first').click();
    const recorded = await page.locator('.recorded li').first().innerText();
    const images = await page.locator('img').count();
    const title = await page.title();

    expect([recorded, images, title]).toEqual([HOSTILE, 0, 'Sluice']);
    expect(troubles).toEqual([]);
  }, 30_000);

  it('tells of a Redis that is killed, and of its return', async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url });
    await store.ready();
    const dashboard = createDashboard({ store, authorize: true });
    const site = await mountOnExpress(dashboard);
    opened.push(
      () => server.stop(),
      () => store.close(),
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await open(pageOf(site));
    const health = page.locator('[data-health]');
    const before = await health.getAttribute('data-health');

    server.process.kill('SIGKILL');
    await page.locator('[data-health=down]').waitFor({ timeout: 10_000 });
    const alarm = await page.getByRole('alert').innerText();
    await server.restart();
    await page.locator('[data-health=up]').waitFor({ timeout: 10_000 });

    expect(before).toBe('up');
    expect(alarm).toContain('Redis does not answer.');
  }, 40_000);

  it('cannot be read by a page of another port, which the browser sends its cookie for', async () => {
    const dashboard = createDashboard({ store: memoryStore() });
    const site = await mountOnExpress(dashboard);
    const evil = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
    const { port } = (await listen(evil)) as { port: number };
    opened.push(
      () => closeServer(evil),
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await open(`${pageOf(site)}?token=${dashboard.token}`);
    const read = (path: string) => `fetch('${pageOf(site)}/${path}', { credentials: 'include' })
      .then((response) => response.status, () => 'no answer')`;
    const own = await page.evaluate(read('api/state'));

    await page.goto(`http://127.0.0.1:${port}/`);
    const foreign = [await page.evaluate(read('api/state')), await page.evaluate(read(''))];

    expect([own, ...foreign]).toEqual([200, 'no answer', 'no answer']);
  }, 30_000);

  it('stays live when its rights are checked after a minute, and shows nothing more when they have ended', async () => {
    let [now, isAllowed, connections] = [0, true, 0];
    const authorize = ({ url }: IncomingMessage) => {
      connections += url!.includes('api/events') ? 1 : 0;
      return isAllowed;
    };
    const dashboard = createDashboard({ store: memoryStore(), authorize, clock: () => now });
    const site = await mountOnExpress(dashboard);
    opened.push(
      () => site.close(),
      () => dashboard.close(),
    );
    const { page, troubles } = await open(pageOf(site));
    await page.evaluate(`new MutationObserver((changes) => { document.title = 'changed'; })
      .observe(document.querySelector('[data-connection]'), { attributes: true })`);

    now = 60_000;
    await until(() => connections === 2);
    const title = await page.title();
    isAllowed = false;
    now = 120_000;
    await page.locator('[data-connection=closed]').waitFor({ timeout: 10_000 });
    const panels = await page.locator('.panel').count();

    expect([title, panels, troubles]).toEqual(['Sluice', 0, []]);
  }, 40_000);

  it('says that nothing is stored of an identity, and not that its next request fits', async () => {
    const { url } = await scene(mountOnExpress);
    const { page } = await open(url);

    await findAddress(page, '198.51.100.99');
    const found = await page.locator('.found').innerText();

    expect(found).toContain('Nothing is stored of this identity.');
    expect(found).not.toContain('fits');
  }, 30_000);

  it('is operated by the keyboard alone', async () => {
    const { url, send } = await scene(mountOnExpress);
    const { page } = await open(url);
    await send('198.51.100.10', 3);
    await page.getByLabel('Address').focus();
    await page.keyboard.type('198.51.100.10');
    await page.keyboard.press('Enter');
    await page.locator('.found').waitFor();
    const focused = await page.evaluate('document.activeElement.textContent');
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.textContent')) === 'Forget…') break;
    }
    await page.keyboard.press('Enter');
    // The question takes the focus when it appears, and a busy machine draws it late.
    await page.locator('button:focus', { hasText: /^Forget$/ }).waitFor();
    await page.keyboard.press('Tab');
    // A tick draws the page again, and must leave the focus where it is.
    await send('198.51.100.12');
    await expectText(page.locator('[data-total=allowed]'), '3');
    const kept = await page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Forgotten in').waitFor();

    expect([focused, kept]).toEqual(['198.51.100.10', 'Cancel']);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'has no violation that axe finds, in %s',
    async (colorScheme) => {
      const { url, send } = await scene(mountOnExpress);
      await send('198.51.100.11', 4);
      const { page } = await open(url, { colorScheme, bypassCSP: true });
      await findAddress(page, '198.51.100.11');
      await page.locator('.found').waitFor();
      await page.getByRole('button', { name: 'Forget…' }).click();
      await page.addScriptTag({ path: require.resolve('axe-core') });
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: object[] }> } };
        return (await axe.run()).violations;
      });

      expect(violations).toEqual([]);
    },
    30_000,
  );

  it('says what to do before the first decision, and fits a screen of 360 pixels', async () => {
    const dashboard = createDashboard({ store: memoryStore(), authorize: true });
    const site = await mountOnExpress(dashboard);
    opened.push(
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await open(pageOf(site), { viewport: { width: 360, height: 640 } });
    const advice = await page.getByText('No decision yet.').innerText();
    const width = await page.evaluate('document.documentElement.scrollWidth');

    expect(advice).toContain('Send a request to a route with a limit');
    expect(width).toBe(360);
  }, 30_000);
});

/** Waits until an element has a text. */
async function expectText(locator: Locator, text: string): Promise<void> {
  await locator.filter({ hasText: new RegExp(`^${text}$`) }).waitFor({ timeout: 10_000 });
}
