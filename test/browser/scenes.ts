import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { by, byIp, createLimiter, type HttpRequest, type Limiter, type Store } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { createDashboard } from '@sluice/dashboard';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { patient } from '../support/patient.js';
import { PREFIX, type mounts } from '../dashboard/mounts.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { closeServer, listen, type Site } from '../support/site.js';
import { openPage, startBrowser, type WatchedPage } from './browser.js';

export const HOSTILE = '<img src=x onerror="document.title=1">';

/** Clients that tests name in a header, and whose denials end in 8 seconds: a busy page shows them late. */
const SOON = '203.0.113.';

/** Limiters that share a store: for clients of `SOON`, and for others. */
function limitersOf(store: Store, prefix: string): readonly [soon: Limiter<HttpRequest>, late: Limiter<HttpRequest>] {
  const key = ({ headers = {} }: HttpRequest) => byIp()({ ip: headers['x-client'] as string });
  const soon = createLimiter<HttpRequest>({
    store,
    prefix,
    tiers: [
      { name: 'ip-hour', key, limit: 1_000, window: '1h' },
      { name: 'ip-second', key, algorithm: 'fixed-window', limit: 2, window: '8s' },
      { name: 'account', key: by('account', () => HOSTILE), limit: 1_000, window: '1m', mode: 'shadow' },
    ],
  });
  const texts = { label: () => HOSTILE, record: () => HOSTILE };
  return [soon, createLimiter<HttpRequest>({ store, prefix, name: 'ip-day', key, limit: 2, window: '1d', ...texts })];
}

export interface Scene {
  /** Of the page. */
  readonly url: string;
  /** The statuses of requests of a client, one after the other. */
  readonly send: (ip: string, times?: number) => Promise<number[]>;
}

type Mount = (typeof mounts)[number][1];

/** What the tests of a spec open in one browser, on one Redis. It is closed after each test. */
export class Scenes {
  #browser!: Browser;
  #redis!: RedisServer;
  #count = 0;
  /** Closed after a test, also when it fails, or the process would not end. */
  readonly #opened: (() => unknown)[] = [];

  constructor() {
    beforeAll(async () => {
      [this.#browser, this.#redis] = await Promise.all([startBrowser(), startRedis()]);
    });
    afterEach(async () => {
      for (const close of this.#opened.splice(0).toReversed()) await close();
    });
    afterAll(async () => {
      await this.#browser.close();
      await this.#redis.stop();
    });
  }

  /** Closes them after the test, in the opposite order. */
  closeLater(...closes: readonly (() => unknown)[]): void {
    this.#opened.push(...closes);
  }

  /** An API with limits, and a dashboard of its store. */
  async start(mount: Mount): Promise<Scene> {
    // A browser that starts beside it may keep Redis waiting.
    const store = redisStore({ url: this.#redis.url }, patient);
    const [soon, late] = limitersOf(store, `t${(this.#count += 1)}`);
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
    this.closeLater(
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
  async open(url: string, options?: BrowserContextOptions): Promise<WatchedPage> {
    const watched = await openPage(this.#browser, url, options);
    this.closeLater(() => watched.page.context().close());
    return watched;
  }
}

/** Without the slash at its end: the page leads to it. */
export function pageOf({ port }: Site): string {
  return `http://127.0.0.1:${port}${PREFIX}`;
}

export async function findAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Find' }).click();
}

/** Waits until an element has a text. */
export async function expectText(locator: Locator, text: string): Promise<void> {
  await locator.filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
}
