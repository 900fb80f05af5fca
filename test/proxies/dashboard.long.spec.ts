import { memoryStore } from '@sluice/core';
import { createDashboard, type Dashboard } from '@sluice/dashboard';
import express from 'express';
import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from '../browser/browser.js';
import { openListener, siteAt, type Site, type TestRequest } from '../support/site.js';
import { proxies, type Proxy } from './proxies.js';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
}, 60_000);
afterAll(() => browser.close());

describe.each(proxies)('A dashboard without authorize, behind %s without settings,', (_name, start) => {
  let dashboard: Dashboard;
  let app: Site;
  let proxy: Proxy;
  let site: Site;

  beforeAll(async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    dashboard = createDashboard({ store: memoryStore() });
    app = await openListener(express().use('/sluice', dashboard.handle));
    proxy = await start(app.port);
    site = siteAt({ host: '127.0.0.1', port: proxy.port }, () => proxy.stop());
  });

  afterAll(async () => {
    dashboard.close();
    await site.close();
    await app.close();
    jest.restoreAllMocks();
  });

  it.each(['shop.example', 'localhost', '127.0.0.1:3000'])('is closed to a client that says Host: %s', async (host) => {
    const headers = { host, 'content-type': 'application/json' };
    const body = JSON.stringify({ kind: 'account', values: ['ada'] });
    const requests: TestRequest[] = ['/', '/api/state', '/api/events'].map((path) => ({ path, headers }));
    for (const path of ['/api/look', '/api/forget']) requests.push({ path, headers, method: 'POST', body });

    const answers = await site.sendEach(requests.map((each) => ({ ...each, path: `/sluice${each.path}` })));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('is live for the browser that opens the printed link', async () => {
    const address = `http://localhost:${proxy.port}/sluice`;

    const { page, troubles } = await openPage(browser, `${address}?token=${dashboard.token}`);
    await page.locator('[data-connection=live]').waitFor();
    const url = page.url();
    const readable = await page.evaluate('document.cookie');
    const cookies = await page.context().cookies();
    await page.context().close();

    expect([url, readable, troubles]).toEqual([`${address}/`, '', []]);
    expect(cookies[0]).toMatchObject({ path: '/sluice', httpOnly: true, sameSite: 'Strict' });
  }, 30_000);
});
