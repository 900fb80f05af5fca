import { memoryStore } from '@sluice/core';
import { createDashboard } from '@sluice/dashboard';
import express from 'express';
import { openPage, startBrowser } from '../browser/browser.js';
import { openListener } from '../support/site.js';
import { startNginx } from './nginx-server.js';

describe('The dashboard behind nginx, which removes a prefix,', () => {
  it('is live with and without a slash at the end of its address', async () => {
    const dashboard = createDashboard({ store: memoryStore() });
    const app = express();
    app.use('/sluice', dashboard.handle);
    const site = await openListener(app);
    const nginx = await startNginx(site.port, { prefix: '/a/b/' });
    const browser = await startBrowser();
    const url = `http://127.0.0.1:${nginx.port}/a/b/sluice`;

    const opened = await Promise.all(
      [url, `${url}/`].map((each) => openPage(browser, `${each}?token=${dashboard.token}`)),
    );
    const addresses = opened.map(({ page }) => page.url());
    await browser.close();
    await nginx.stop();
    dashboard.close();
    await site.close();

    expect(addresses).toEqual([`${url}/`, `${url}/`]);
    expect(opened.flatMap(({ troubles }) => troubles)).toEqual([]);
  });
});
