import { createServer, type IncomingMessage } from 'node:http';
import { createGate, createLimiter, memoryStore, type HttpRequest } from '@sluice/http';
import { overridesOf } from '@sluice/policies/overrides';
import { balance, creditsOf } from '@sluice/quotas';
import { redisStore } from '@sluice/redis';
import { createDashboard } from '@sluice/dashboard';
import { mounts } from '../dashboard/mounts.js';
import { overloadedShedder } from '../support/manual-loop.js';
import { startRedis } from '../support/redis.js';
import { closeServer, listen } from '../support/site.js';
import { until } from '../support/until.js';
import { followDeniedClient } from './denied-client.js';
import { expectText, findAddress, HOSTILE, pageOf, Scenes } from './scenes.js';

const scenes = new Scenes();

// denied-client.long.spec.ts has the other frameworks, whose routes test/dashboard examines.
followDeniedClient(mounts.slice(0, 1), scenes);

describe('The dashboard, in a browser,', () => {
  const [, mountOnExpress] = mounts[0]!;

  it('shows hostile labels and recorded texts as texts', async () => {
    const { url, send } = await scenes.start(mountOnExpress);
    const { page, troubles } = await scenes.open(url);
    await send('198.51.100.9', 4);

    await page.locator('.top .row', { hasText: HOSTILE }).click();
    await page.getByText('Recorded, newest first').click();
    const recorded = await page.locator('.recorded li').first().innerText();
    const images = await page.locator('img').count();
    const title = await page.title();

    expect([recorded, images, title]).toEqual([HOSTILE, 0, 'Sluice']);
    expect(troubles).toEqual([]);
  });

  it('tells of a Redis that is killed, and of its return', async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url });
    await store.ready();
    const dashboard = createDashboard({ store, authorize: true });
    const site = await mountOnExpress(dashboard);
    scenes.closeLater(
      () => server.stop(),
      () => store.close(),
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await scenes.open(pageOf(site));
    const health = page.locator('[data-health]');
    const before = await health.getAttribute('data-health');

    server.process.kill('SIGKILL');
    await page.locator('[data-health=down]').waitFor();
    const alarm = await page.getByRole('alert').innerText();
    await server.restart();
    await page.locator('[data-health=up]').waitFor();
    await page.locator('[data-outage]').waitFor();
    await page.getByText('Numbers of the chart').click();
    const columns = await page.locator('.numbers thead th').allInnerTexts();

    expect(columns.at(-1)).toBe('store');
    expect(before).toBe('up');
    expect(alarm).toContain('Redis does not answer.');
  });

  it('shows requests that a shedder has refused as a number of their own, and as a column of the chart', async () => {
    const store = memoryStore();
    const dashboard = createDashboard({ store, authorize: true });
    const site = await mountOnExpress(dashboard);
    const { page } = await scenes.open(pageOf(site));
    await page.locator('[data-total=allowed]').waitFor();
    const before = await page.locator('[data-total=refused]').count();
    const priority = ({ headers }: HttpRequest) =>
      headers?.['x-urgent'] ? ('critical' as const) : ('normal' as const);
    const limit = { store, name: 'minute', key: () => 'ada', limit: 2, window: '1m' } as const;
    const gate = createGate<IncomingMessage>({ ...limit, shed: overloadedShedder<HttpRequest>({ priority }) });
    const api = createServer((request, response) => {
      void Promise.resolve(gate.admit(request, response)).then(() => response.end());
    });
    const { port } = (await listen(api)) as { port: number };
    scenes.closeLater(
      () => closeServer(api),
      () => site.close(),
      () => dashboard.close(),
    );
    const send = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}`, { headers });

    for (let sent = 0; sent < 3; sent += 1) await send({ 'x-urgent': 'yes' });
    for (let sent = 0; sent < 5; sent += 1) await send({});
    await expectText(page.locator('[data-total=refused]'), '5');
    const totals = await page.locator('[data-totals]').innerText();
    await page.getByText('Numbers of the chart').click();
    const columns = await page.locator('.numbers thead th').allInnerTexts();

    expect(before).toBe(0);
    expect(totals.split(/\s+/)).toEqual(['allowed', '2', 'denied', '1', 'undecided', '0', 'refused', '5']);
    expect(columns).toEqual(['from', 'allowed', 'denied', 'undecided', 'refused', 'a second']);
  });

  it('cannot be read by a page of another port, which the browser sends its cookie for', async () => {
    const dashboard = createDashboard({ store: memoryStore() });
    const site = await mountOnExpress(dashboard);
    const evil = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
    const { port } = (await listen(evil)) as { port: number };
    scenes.closeLater(
      () => closeServer(evil),
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await scenes.open(`${pageOf(site)}?token=${dashboard.token}`);
    const read = (path: string) => `fetch('${pageOf(site)}/${path}', { credentials: 'include' })
      .then((response) => response.status, () => 'no answer')`;
    const own = await page.evaluate(read('api/state'));

    await page.goto(`http://127.0.0.1:${port}/`);
    const foreign = [await page.evaluate(read('api/state')), await page.evaluate(read(''))];

    expect([own, ...foreign]).toEqual([200, 'no answer', 'no answer']);
  });

  it('stays live when its rights are checked after a minute, and shows nothing more when they have ended', async () => {
    let [now, isAllowed, connections] = [0, true, 0];
    const authorize = ({ url }: IncomingMessage) => {
      connections += url!.includes('api/events') ? 1 : 0;
      return isAllowed;
    };
    const dashboard = createDashboard({ store: memoryStore(), authorize, clock: () => now });
    const site = await mountOnExpress(dashboard);
    scenes.closeLater(
      () => site.close(),
      () => dashboard.close(),
    );
    const { page, troubles } = await scenes.open(pageOf(site));
    await page.evaluate(`new MutationObserver((changes) => { document.title = 'changed'; })
      .observe(document.querySelector('[data-connection]'), { attributes: true })`);

    now = 60_000;
    await until(() => connections === 2);
    const title = await page.title();
    isAllowed = false;
    now = 120_000;
    await page.locator('[data-connection=closed]').waitFor();
    const panels = await page.locator('.panel').count();

    expect([title, panels, troubles]).toEqual(['Sluice', 0, []]);
  });

  it('says that nothing is stored of an identity, and not that its next request fits', async () => {
    const { url } = await scenes.start(mountOnExpress);
    const { page } = await scenes.open(url);

    await findAddress(page, '198.51.100.99');
    const found = await page.locator('.found').innerText();

    expect(found).toContain('Nothing is stored of this identity.');
    expect(found).not.toContain('fits');
  });

  it('raises the limit of a client, which is admitted at its next request', async () => {
    const store = memoryStore();
    const limiter = createLimiter({
      store,
      name: 'account',
      key: (account: string) => account,
      limit: 1,
      window: '1d',
    });
    const overrides = overridesOf(limiter);
    const dashboard = createDashboard({ store, authorize: true, readOnly: false, overrides });
    const site = await mountOnExpress(dashboard);
    scenes.closeLater(
      () => site.close(),
      () => dashboard.close(),
    );
    const admitted = async () => (await limiter.consume('ada')).allowed;
    const before = [await admitted(), await admitted()];
    const { page, troubles } = await scenes.open(pageOf(site));

    await page.getByLabel('Kind').selectOption('key');
    await page.getByLabel('Text').fill('ada');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('button', { name: 'Change the limit…' }).click();
    await page.getByLabel('Limit (0: never)').fill('3');
    await page.getByLabel('Hours').fill('24');
    await page.getByLabel('Reason').fill('ticket 4711');
    await page.getByRole('button', { name: 'Change the limit', exact: true }).click();
    await page.getByText('The limit in account is overridden: ticket 4711').waitFor();
    const shown = page.locator('.card[data-tier=account]');
    await shown.getByText('override, until').waitFor();
    const card = await shown.innerText();
    const during = await admitted();
    await page.getByRole('button', { name: 'End the override of account' }).click();
    await page.getByText('account has its own limit again.').waitFor();
    const after = await admitted();

    expect([before, during, after]).toEqual([[true, false], true, false]);
    expect(card).toMatch(/override, until .* UTC: limit 3 \(ticket 4711\)/);
    expect(troubles).toEqual([]);
  });

  it('says of a client without credits and with a used-up month that the credits pay for nothing, and shows no amber', async () => {
    const store = memoryStore();
    const key = (account: string) => account;
    const month = { name: 'month', key, algorithm: 'fixed-window', limit: 5, period: 'month' } as const;
    const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
    const limiter = createLimiter<string>({ store, tiers: [month, credits] });
    const dashboard = createDashboard({ store, authorize: true });
    const site = await mountOnExpress(dashboard);
    scenes.closeLater(
      () => site.close(),
      () => dashboard.close(),
    );
    await creditsOf(limiter).credit('ada', 1, { id: 'invoice 1' });
    for (let request = 0; request < 7; request += 1) await limiter.consume('ada');
    const { page, troubles } = await scenes.open(pageOf(site));

    await page.getByLabel('Kind').selectOption('key');
    await page.getByLabel('Text').fill('ada');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const fits = page.locator('.card[data-tier=credits] [data-fits]');
    await fits.waitFor();
    const [text, style] = [await fits.innerText(), await fits.getAttribute('class')];
    const row = page.locator('tr[data-tier=credits] td');
    await row.filter({ hasText: 'not needed' }).waitFor();

    expect([text, style]).toEqual(['No credits left: it pays for nothing.', 'denies']);
    expect((await row.allInnerTexts()).slice(0, 2).map((cell) => cell.replaceAll(/\s+/g, ' '))).toEqual([
      '1 paid',
      '6 not needed',
    ]);
    expect(await page.locator('tr[data-tier=credits] .bar-near').getAttribute('style')).toBe('width: 0%;');
    expect(troubles).toEqual([]);
  });

  it('shows no former client beside a mistake in the name of the next one', async () => {
    const { url, send } = await scenes.start(mountOnExpress);
    const { page } = await scenes.open(url);
    await send('198.51.100.14', 2);
    await findAddress(page, '198.51.100.14');
    await page.locator('.found').waitFor();
    await findAddress(page, '198.51.100');
    await page.locator('.found').waitFor({ state: 'detached' });

    expect(await page.locator('.problem').innerText()).not.toBe('');
  });

  it('lists the tiers that deny most first, and says since when its numbers count', async () => {
    const { url, send } = await scenes.start(mountOnExpress);
    const { page } = await scenes.open(url);
    await send('203.0.113.9', 1);
    await send('198.51.100.15', 4);
    await page.locator('tr[data-tier=ip-day] .is-denied').waitFor();

    expect(await page.locator('tr[data-tier]').first().getAttribute('data-tier')).toBe('ip-day');
    expect(await page.locator('section[aria-labelledby=traffic] .hint').innerText()).toMatch(
      /^Requests since this process started, .+ ago$/,
    );
  });

  it('is operated by the keyboard alone', async () => {
    const { url, send } = await scenes.start(mountOnExpress);
    const { page } = await scenes.open(url);
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
  });

  it('has no violation that axe finds, in light and in dark', async () => {
    const { url, send } = await scenes.start(mountOnExpress);
    await send('198.51.100.11', 4);
    const { page } = await scenes.open(url, { colorScheme: 'light', bypassCSP: true });
    await findAddress(page, '198.51.100.11');
    await page.locator('.found').waitFor();
    await page.getByRole('button', { name: 'Forget…' }).click();
    await page.addScriptTag({ path: require.resolve('axe-core') });
    const violations = () =>
      page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: object[] }> } };
        return (await axe.run()).violations;
      });
    const inLight = await violations();
    await page.emulateMedia({ colorScheme: 'dark' });
    const isDark = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);
    const inDark = await violations();

    expect([inLight, isDark, inDark]).toEqual([[], true, []]);
  });

  it('says what to do before the first decision, and fits a screen of 360 pixels', async () => {
    const dashboard = createDashboard({ store: memoryStore(), authorize: true });
    const site = await mountOnExpress(dashboard);
    scenes.closeLater(
      () => site.close(),
      () => dashboard.close(),
    );
    const { page } = await scenes.open(pageOf(site), { viewport: { width: 360, height: 640 } });
    const advice = await page.getByText('No decision yet.').innerText();
    const width = await page.evaluate('document.documentElement.scrollWidth');

    expect(advice).toContain('Send a request to a route with a limit');
    expect(width).toBe(360);
  });
});
