import { createServer } from 'node:http';
import { createLimiter, memoryStore } from '@sluice/core';
import { overridesOf } from '@sluice/policies/overrides';
import { createDashboard } from '@sluice/dashboard';
import { closeServer, listen } from '../support/site.js';
import { Scenes } from './scenes.js';

const scenes = new Scenes();
const DESK = 'desk-token-0000000000000';
const AUDITOR = 'auditor-token-0000000000';

describe('The page of a support desk, in a browser,', () => {
  it('finds a denied client, gives it more, shows who has done so, and lets a token of read change nothing', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, name: 'hour', key: (tenant: string) => tenant, limit: 1_000, window: '1h' });
    const tokens = [
      { name: 'desk', role: 'support', token: DESK },
      { name: 'auditor', role: 'read', token: AUDITOR },
    ] as const;
    const dashboard = createDashboard({ store, overrides: overridesOf(limiter), tokens });
    const server = createServer(dashboard.handle);
    const { port } = (await listen(server)) as { port: number };
    scenes.closeLater(
      () => limiter.close(),
      () => closeServer(server),
      () => dashboard.close(),
    );
    for (const cost of [1_000, 1]) await limiter.consume('acme', { cost });
    const { page, troubles } = await scenes.open(`http://127.0.0.1:${port}/?token=${DESK}`);
    const find = async () => {
      await page.locator('select[name=kind]').selectOption('key');
      await page.locator('input[name=value-0]').fill('acme');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('article[data-tier=hour]').waitFor();
    };

    await find();
    await page.getByRole('button', { name: 'Change the limit…' }).click();
    await page.locator('input[name=limit]').fill('6000');
    await page.locator('input[name=hours]').fill('48');
    await page.locator('input[name=reason]').fill('ticket 4711');
    await page.getByRole('button', { name: 'Change the limit', exact: true }).click();
    const act = page.locator('.history li');
    await act.waitFor();
    const text = await act.innerText();
    const { allowed } = await limiter.consume('acme');

    await page.goto(`http://127.0.0.1:${port}/?token=${AUDITOR}`);
    await find();
    await act.waitFor();
    const buttons = await page.getByRole('button', { name: /Change the limit|Forget/ }).count();

    expect(text).toMatch(/desk changed the limit of hour to 6000 until .+: ticket 4711$/);
    expect([allowed, buttons, troubles]).toEqual([true, 0, []]);
  });
});
