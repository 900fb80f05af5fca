import { memoryStore } from '@sluice/core';
import { createDashboard } from '@sluice/dashboard';
import express from 'express';
import { openPage, startBrowser } from '../browser/browser.js';
import { openListener } from '../support/site.js';
import { startNginx } from './nginx-server.js';

describe('The dashboard behind nginx, which removes a prefix,', () => {
  it.each(['/a/b/sluice', '/a/b/sluice/'])('is live at %s', async (path) => {
    const dashboard = createDashboard({ store: memoryStore() });
    const app = express();
    app.use('/sluice', dashboard.handle);
    const site = await openListener(app);
    const nginx = await startNginx(site.port, { prefix: '/a/b/' });
    const browser = await startBrowser();

    const { page, troubles } = await openPage(
      browser,
      `http://127.0.0.1:${nginx.port}${path}?token=${dashboard.token}`,
    );
    const address = page.url();
    await page.locator('[data-connection=live]').waitFor();
    await browser.close();
    await nginx.stop();
    dashboard.close();
    await site.close();

    expect(address).toBe(`http://127.0.0.1:${nginx.port}/a/b/sluice/`);
    expect(troubles).toEqual([]);
  });
});
