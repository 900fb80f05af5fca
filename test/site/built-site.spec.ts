import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../../scripts/root.mjs';
import { startBrowser } from '../browser/browser.js';
import { closeServer } from '../support/site.js';
import { FIRST, optionsOf } from '../../site/playground/setup.js';
import { countText, shareText, simulator } from '../../site/simulator/simulator.js';
import { searches } from './searches.js';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// npm run docs -- --check builds the site before it runs these.
const base = process.env['SLUICE_SITE_BASE'] ?? '/';
const dist = join(root, 'site', 'dist');
const PAGES = readdirSync(join(dist, base), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && !name.startsWith('api/') && name !== '404.html')
  .map((name) => name.slice(0, -'.html'.length))
  // Pages of exports have the widest tables.
  .concat(['api/core', 'api/core/quotas', 'api/dashboard']);
/** They have what no other page has, so axe reads them whole. What differs of the others is the content. */
const SPECIAL = ['index', 'playground', 'pages', 'guide/algorithms', 'reference/tiers', 'benchmarks/index'];
/** Each width and each scheme: contrast, which takes axe most of its time, does not depend on the width. */
const LOOKS = [
  [375, 'light'],
  [800, 'dark'],
  [1440, 'light'],
] as const;
const LOOKS_OF_SPECIAL = [...LOOKS, [375, 'dark'], [800, 'light'], [1440, 'dark']] as const;

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  browser = await startBrowser();
  const app = express().use(express.static(dist, { extensions: ['html'] }));
  server = await new Promise((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}, 60_000);

afterAll(async () => {
  await browser.close();
  await closeServer(server);
});

/** Opens a page, runs a function on it, and returns its result and what the page logged or failed to load. */
async function visit<Result>(
  path: string,
  look: (page: Page) => Promise<Result>,
  options?: BrowserContextOptions,
): Promise<{ readonly found: Result; readonly troubles: readonly string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // Then VitePress fetches no pages ahead, which would fail once a spec has cut the network.
  await page.addInitScript("Object.defineProperty(navigator.connection, 'saveData', { value: true })");
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(`error: ${message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`${message.type()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) troubles.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.url()}`);
  });
  const [name, hash = ''] = path.split('#');
  await page.goto(`${origin}${base}${name}.html#${hash}`, { waitUntil: 'networkidle' });
  const found = await look(page);
  await context.close();
  return { found, troubles };
}

/** What axe finds in a part of a page, with the elements. */
async function violationsOn(page: Page, part: string): Promise<readonly string[]> {
  return page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as {
      axe: { run(within: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(selector);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
  }, part);
}

describe('the built site', () => {
  it.each(PAGES)(
    'shows %s at three widths, light and dark, without an error, a fault that axe finds, or scrolling sideways',
    async (path) => {
      const { found, troubles } = await visit(path, async (page) => {
        await page.addScriptTag({ path: require.resolve('axe-core') });
        // Between two schemes a colour is one of neither.
        await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' });
        const faults: string[] = [];
        for (const [width, colorScheme] of SPECIAL.includes(path) ? LOOKS_OF_SPECIAL : LOOKS) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme });
          const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (needed > width) faults.push(`${width}: the page is ${needed} pixels wide`);
          // Decisions are of one form.
          if (path.startsWith('decisions/0')) continue;
          const violations = await violationsOn(page, SPECIAL.includes(path) ? 'html' : '.VPContent');
          faults.push(...violations.map((each) => `${width}, ${colorScheme}: ${each}`));
        }
        return faults;
      });

      expect(found).toEqual([]);
      expect(troubles).toEqual([]);
    },
    120_000,
  );

  it.each(searches)('finds "%s", and %s first', async (words, path) => {
    const { found, troubles } = await visit('index', async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('.search-input').fill(words);
      await page.locator('.results a').first().waitFor();
      return page.locator('.results a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    });

    expect(troubles).toEqual([]);
    expect(found[0]).toContain(path);
  });

  it('moves its picture until a reader pauses it, and not for readers that want no motion', async () => {
    const running = `document.getAnimations().filter(({ animationName, playState }) =>
      ['reveal', 'pass'].includes(animationName) && playState === 'running').length`;
    const { found } = await visit('index', async (page) => {
      const before = await page.evaluate<number>(running);
      await page.getByRole('button', { name: 'Pause' }).press('Enter');
      return [before, await page.evaluate<number>(running)];
    });
    const { found: still } = await visit('index', (page) => page.evaluate<number>(running), {
      reducedMotion: 'reduce',
    });

    expect(found).toEqual([8, 0]);
    expect(still).toBe(0);
  });

  it('shows a program for each framework on the first page, and the version', async () => {
    const { found } = await visit('index', async (page) => {
      await page.getByText('NestJS', { exact: true }).first().click();
      return [await page.locator('.vp-code-group .active').innerText(), await page.locator('.VPNavBar').innerText()];
    });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

    expect(found[0]).toContain('RateLimitModule.forRoot({ limit: 100');
    expect(found[1]).toContain(`v${version}`);
  });

  it('plays with limits by the keyboard and without a network, and shares them by the address', async () => {
    const { found, troubles } = await visit('playground', async (page) => {
      await page.locator('.playground table').waitFor();
      await page.context().setOffline(true);
      await page.getByLabel('Units').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('20');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.type('token');
      await page.locator('tbody', { hasText: 'token-bucket' }).waitFor();
      const row = await page.locator('.playground tbody tr').first().locator('td').allInnerTexts();
      return { row, address: page.url(), drawn: await page.locator('.chart svg').getAttribute('aria-label') };
    });
    const chosen = { ...FIRST, limit: '20', algorithm: 'token-bucket' };
    const { limits, requests } = simulator(optionsOf(chosen));

    expect(troubles).toEqual([]);
    expect(found.row.slice(0, 3)).toEqual([
      'token-bucket',
      countText(limits.admitted),
      `${countText(limits.denied)} (${shareText(limits.denied / requests)})`,
    ]);
    expect(found.address).toMatch(/#algorithm=token-bucket&limit=20$/);
    expect(found.drawn).toContain('20/1m');
  });

  it('opens a shared setup, and says what is wrong with it', async () => {
    const { found, troubles } = await visit('playground#limit=0', (page) => page.getByRole('alert').innerText());

    expect(troubles).toEqual([]);
    expect(found).toContain('limit must be');
  });

  it('draws each diagram', async () => {
    const source = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
    const diagrams = source.match(/^```mermaid$/gm) ?? [];
    const { found } = await visit('architecture', async (page) => {
      await page
        .locator('.diagram svg')
        .nth(diagrams.length - 1)
        .waitFor();
      return page.locator('.diagram svg').count();
    });

    expect(found).toBe(diagrams.length);
  });

  it('has a page for each entry point of a package', () => {
    expect(readdirSync(join(dist, base, 'api'))).toEqual(
      expect.arrayContaining(['core.html', 'express.html', 'nestjs.html']),
    );
    expect(existsSync(join(dist, base, 'api', 'core', 'adapter.html'))).toBe(true);
  });

  it('lists its pages for language models', () => {
    expect(readFileSync(join(dist, base, 'llms.txt'), 'utf8')).toContain(`${base}guide/recipes.md`);
    expect(readFileSync(join(dist, base, 'guide', 'recipes.md'), 'utf8')).toContain('# Recipes');
  });
});
