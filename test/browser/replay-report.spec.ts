import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { population } from '../cli/replay/populations.js';
import { NGINX } from '../cli/replay/text-forms.js';
import { writtenLog } from '../cli/replay/written-log.js';
import { sluice } from '../cli/sluice.js';
import { startBrowser } from './browser.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-report-'));
const report = join(folder, 'report.html');

describe('the page of sluice replay', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    // People who come once and people who stay, programs, and guesses of passwords: each part of the page has something to show.
    writeFileSync(join(folder, 'access.log'), writtenLog(population('shop', 1), NGINX).text);
    await sluice(['replay', join(folder, 'access.log'), '--against', '45/1m', '--html', report]);
    browser = await startBrowser();
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  /** One page shows all: each context takes a process of Chromium. */
  async function openReport(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.goto(pathToFileURL(report).href);
  }

  it.each([
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('fits %i pixels, and has no violation that axe finds, in %s', async (width, colorScheme) => {
    await openReport(width, colorScheme);
    await page.addScriptTag({ path: require.resolve('axe-core') });
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: object[] }> } };
      return (await axe.run()).violations;
    });
    const across = await page.evaluate('document.documentElement.scrollWidth');

    expect(violations).toEqual([]);
    expect(across).toBe(width);
  });

  it('draws people before programs, and what each limit denies', async () => {
    await openReport(1280, 'light');
    const text = await page.locator('main').innerText();
    const pictures = await page.locator('svg').evaluateAll((all) => all.map((each) => each.textContent));

    expect(text).toMatch(/Whose traffic this is[^]+What to write[^]+Whom limits a minute deny/);
    expect(text).toMatch(/Busiest 1h of each client[^]+Busiest 1m of each client/);
    expect(pictures[0]).toMatch(/clients denied.*people.*programs.*limit a minute/);
    expect(pictures[2]).toMatch(/denied by \d+\/1h.*denied by \d+\/1m/);
    expect(pictures[3]).toMatch(/people.*people above the limit.*other clients/);
  });
});
