import type { mounts } from '../dashboard/mounts.js';
import { expectText, findAddress, type Scenes } from './scenes.js';

/** Follows a denied client on the page: the same on each of these frameworks. */
export function followDeniedClient(some: typeof mounts, scenes: Scenes): void {
  describe.each(some)('The dashboard on %s, in a browser,', (_name, mount) => {
    it('counts what clients saw, finds a denied one, waits with it and forgets it', async () => {
      const { url, send } = await scenes.start(mount);
      const { page, troubles } = await scenes.open(url);
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
    });
  });
}
