import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  by,
  byIp,
  createGate,
  createLimiter,
  memoryStore,
  type HttpRequest,
  type Limiter,
  type Store,
} from '@sluice/http';
import { redisStore } from '@sluice/redis';
import type { Priority } from '@sluice/overload';
import { fakeClock } from '@sluice/testing';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, startBrowser } from '../browser/browser.js';
import { exchange } from '../support/exchange.js';
import { overloadedShedder } from '../support/manual-loop.js';
import { startRedis } from '../support/redis.js';
import { openListener } from '../support/site.js';
import { until } from '../support/until.js';
import { root } from '../../scripts/root.mjs';

// Run by `npm run tool -- dashboard-pictures`: takes the pictures of docs/guide/dashboard.md in a real browser. With `--all FOLDER`
// it takes all of them there: each scene, light, dark and narrow.

interface Client extends HttpRequest {
  readonly ip: string;
  readonly user: string;
}

type Act = (page: Page) => Promise<void>;

const VIEWS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  narrow: { colorScheme: 'light', viewport: { width: 360, height: 800 } },
} as const satisfies Record<string, BrowserContextOptions>;

/** Those of the guide. */
const IN_GUIDE = ['traffic-light', 'denied-dark', 'outage-light'];
const USERS = ['ada', 'barbara', 'grace', 'ken', 'linus', 'margaret', 'radia', 'tim'];
/** Requests of the others are refused under overload. */
const priorities: Readonly<Record<string, Priority>> = Object.fromEntries(
  USERS.slice(0, 5).map((user) => [user, 'critical']),
);
const FLOOD: Client = { ip: '203.0.113.66', user: 'mallory' };

const { values } = parseArgs({ options: { all: { type: 'string' } } });
const folder = values.all ?? join(root, 'docs', 'guide', 'images');
const browser = await startBrowser();
await takeTraffic(browser);
await takeOverload(browser);
await takeOutage(browser);
await takeEmpty(browser);
await browser.close();

function limiterOn(store: Store): Limiter<Client> {
  const nameOf = ({ user }: Client) => user;
  return createLimiter<Client>({
    store,
    tiers: [
      { name: 'account-hour', key: by('account', nameOf), limit: 2_000, window: '1h', label: nameOf },
      { name: 'ip-minute', key: byIp(), limit: 300, window: '1m', record: nameOf },
      { name: 'burst', key: byIp(), algorithm: 'token-bucket', limit: 10, window: '1s', burst: 30 },
      { name: 'ip-minute-next', key: byIp(), limit: 100, window: '1m', mode: 'shadow' },
    ],
  });
}

/** A quarter of an hour of traffic on a clock of its own, with a client that sends too much. */
async function takeTraffic(inBrowser: Browser): Promise<void> {
  const clock = fakeClock(Date.now());
  const store = memoryStore({ clock });
  const limiter = limiterOn(store);
  const start = clock();
  const dashboard = createDashboard({ store, authorize: true, readOnly: false, clock: () => clock() - start });
  for (let second = 0; second < 900; second += 1) {
    const waves = 1.4 + Math.sin(second / 70) + Math.sin(second / 11) / 4;
    const requests = USERS.flatMap((user, index) => {
      const each = Math.round((waves * (8 - index)) / 4 + (Math.sin(second * (index + 3)) > 0.6 ? 1 : 0));
      return Array.from({ length: each }, (): Client => ({ ip: `198.51.100.${index + 1}`, user }));
    });
    const flood = second > 620 ? Array.from({ length: 9 + (second % 5) }, () => FLOOD) : [];
    for (const request of [...requests, ...flood]) {
      await limiter.consume(request);
      clock.advance(1_000 / (requests.length + flood.length + 1));
    }
    clock.advance(start + (second + 1) * 1_000 - clock());
  }
  await take(inBrowser, 'traffic', dashboard);
  await take(inBrowser, 'denied', dashboard, async (page) => {
    await page.getByLabel('Address').fill(FLOOD.ip);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('.found .card').first().waitFor();
  });
  dashboard.close();
}

/** A quarter of an hour in which a process is overloaded for five minutes, and refuses a part of the requests. */
async function takeOverload(inBrowser: Browser): Promise<void> {
  const clock = fakeClock(Date.now());
  const store = memoryStore({ clock });
  const limiter = limiterOn(store);
  const [calm, busy] = [undefined, overloadedShedder<Client>({ priority: ({ user }) => priorities[user] ?? 'normal' })];
  const gates = [calm, busy].map((shed) => createGate<Client>({ limiter, ...(shed && { shed }) }));
  const start = clock();
  const dashboard = createDashboard({ store, authorize: true, clock: () => clock() - start });
  for (let second = 0; second < 900; second += 1) {
    const isBusy = second > 500 && second < 800;
    const gate = gates[isBusy ? 1 : 0]!;
    for (const [index, user] of USERS.entries()) {
      const requests = Math.round((isBusy ? 3 : 1.5) + Math.sin(second / 40 + index));
      for (let sent = 0; sent < requests; sent += 1) {
        await gate.admit({ ip: `198.51.100.${index + 1}`, user, headers: {} }, exchange().response);
      }
    }
    clock.advance(1_000);
  }
  await take(inBrowser, 'overload', dashboard);
  dashboard.close();
}

/** A quarter of an hour in which Redis does not answer for a minute, and then again until the end. */
async function takeOutage(inBrowser: Browser): Promise<void> {
  const server = await startRedis();
  const store = redisStore({ url: server.url });
  await store.ready();
  // The clock of Redis cannot be moved: its windows are those of the seconds in which the picture is made.
  const nameOf = ({ user }: Client) => user;
  const limiter = createLimiter<Client>({
    store,
    tiers: [
      { name: 'account-hour', key: by('account', nameOf), limit: 20_000, window: '1h', label: nameOf },
      { name: 'ip-minute', key: byIp(), limit: 6_000, window: '1m' },
    ],
  });
  let now = 0;
  const dashboard = createDashboard({ store, authorize: true, clock: () => now });
  const sendAll = async (second: number) => {
    for (const [index, user] of USERS.entries()) {
      const requests = Math.round(1.5 + Math.sin(second / 40 + index));
      for (let sent = 0; sent < requests; sent += 1) await limiter.consume({ ip: `198.51.100.${index + 1}`, user });
    }
  };
  for (let second = 0; second < 900; second += 1) {
    if (second === 320 || second === 740) server.process.kill('SIGKILL');
    if (second === 400) {
      await server.restart();
      await until(async () => !(await limiter.peek({ ip: '198.51.100.1', user: 'ada' })).degraded);
    }
    await sendAll(second);
    now += 1_000;
  }
  await take(inBrowser, 'outage', dashboard, async (page) => {
    await page.locator('[data-health=down]').waitFor();
  });
  dashboard.close();
  await store.close();
  await server.stop();
}

async function takeEmpty(inBrowser: Browser): Promise<void> {
  const store = memoryStore();
  const limiter = limiterOn(store);
  const dashboard = createDashboard({ store, authorize: true });
  await take(inBrowser, 'empty', dashboard);
  dashboard.close();
  await limiter.close();
}

/** @param act what a reader does before the picture is taken */
async function take(inBrowser: Browser, scene: string, dashboard: Dashboard, act?: Act): Promise<void> {
  const app = express();
  app.use('/sluice', dashboard.handle);
  const site = await openListener(app);
  for (const [view, options] of Object.entries(VIEWS)) {
    const name = `${scene}-${view}`;
    if (values.all === undefined && !IN_GUIDE.includes(name)) continue;
    const { page } = await openPage(inBrowser, `http://127.0.0.1:${site.port}/sluice/`, options);
    await act?.(page);
    await page.locator('[data-health]').waitFor();
    // The chart is drawn with the first frame after the state.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.screenshot({ path: join(folder, `dashboard-${name}.png`), fullPage: true });
    await page.context().close();
  }
  await site.close();
}
