import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { root } from '../../scripts/root.mjs';
import { sourcePath } from '../../site/page-path.mjs';
import { FIRST, optionsOf } from '../../site/playground/setup.js';
import { countText, shareText, simulator } from '../../site/simulator/simulator.js';
import { ALL_LOOKS, faultsOf, loadAxe } from './axe.js';
import { base, dist, serveBuiltSite, type BuiltSite } from './built-site.js';

const PHONE = { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true };

let site: BuiltSite;

beforeAll(async () => {
  site = await serveBuiltSite();
});

afterAll(() => site.close());

/** Opens a page, runs a function on it, and returns its result and what the page logged or failed to load. */
async function visit<Result>(
  path: string,
  look: (page: Page) => Promise<Result>,
  options?: BrowserContextOptions,
): Promise<{ readonly found: Result; readonly troubles: readonly string[] }> {
  const { page, troubles, open } = await site.reader(options);
  await open(path);
  const found = await look(page);
  await page.context().close();
  return { found, troubles };
}

const textOf = (name: string) => readFileSync(join(dist, base, `${name}.html`), 'utf8');

describe('the first page', () => {
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

  it('shows a phone both lines whole, and an algorithm beside its traffic, without scrolling', async () => {
    const { found } = await visit(
      'index',
      async (page) => {
        const blocks = page.locator('.first-screen pre');
        const widths = await blocks.evaluateAll((all) => all.map((pre) => pre.scrollWidth - pre.clientWidth));
        const strip = await page.locator('.strip').nth(1).boundingBox();
        return { widths, end: strip!.y + strip!.height };
      },
      PHONE,
    );

    expect(found.widths).toEqual([0, 0]);
    expect(found.end).toBeLessThan(PHONE.viewport.height);
  });

  it('shows a program for each framework, and the version', async () => {
    const { found } = await visit('index', async (page) => {
      await page.getByText('NestJS', { exact: true }).first().click();
      return [await page.locator('.vp-code-group .active').innerText(), await page.locator('.VPNavBar').innerText()];
    });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

    expect(found[0]).toContain('RateLimitModule.forRoot({ limit: 100');
    expect(found[1]).toContain(`v${version}`);
  });
});

describe('the menu on a phone', () => {
  it.each([
    ['mobile navigation', '.VPNavScreen'],
    ['Menu', '.VPSidebar'],
  ])('opens by a touch of "%s", and axe finds no fault in it, light and dark', async (name, part) => {
    const { found, troubles } = await visit(
      'guide/login',
      async (page) => {
        await page.getByRole('button', { name }).tap();
        await page.locator(part).waitFor();
        await loadAxe(page);
        return faultsOf(page, part, ALL_LOOKS.slice(-2));
      },
      PHONE,
    );

    expect(found).toEqual([]);
    expect(troubles).toEqual([]);
  });
});

describe('the playground', () => {
  it('plays with limits by the keyboard and without a network, and shares them by the address', async () => {
    const { found, troubles } = await visit('playground', async (page) => {
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

  it('copies its address by touch, and begins again', async () => {
    const { found } = await visit(
      'playground#limit=20',
      async (page) => {
        await page.getByRole('button', { name: 'Copy the address' }).tap();
        await page.getByText('The address is copied.').waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        await page.getByRole('button', { name: 'Begin again' }).tap();
        await page.locator('.command', { hasText: '100/1m' }).waitFor();
        return { copied, after: page.url() };
      },
      { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] },
    );

    expect(found.copied).toMatch(/playground\.html#limit=20$/);
    expect(found.after).toMatch(/playground\.html#$/);
  });

  it('shows what is chosen, the numbers and the picture beside each other on a desktop', async () => {
    const { found } = await visit(
      'playground',
      async (page) => {
        const form = await page.locator('.playground form').boundingBox();
        const chart = await page.locator('.playground .chart svg').boundingBox();
        return { gap: chart!.x - form!.x - form!.width, end: chart!.y + chart!.height };
      },
      { viewport: { width: 1440, height: 900 } },
    );

    expect(found.gap).toBeGreaterThan(0);
    expect(found.end).toBeLessThan(900);
  });

  it('opens a shared setup, and says what is wrong with it', async () => {
    const { found, troubles } = await visit('playground#limit=0', (page) => page.getByRole('alert').innerText());

    expect(troubles).toEqual([]);
    expect(found).toContain('limit must be');
  });
});

describe('the built site', () => {
  it('draws each diagram', async () => {
    const source = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
    const diagrams = source.match(/^```mermaid$/gm) ?? [];
    const { found } = await visit('architecture', (page) => page.locator('.diagram svg').count());

    expect(found).toBe(diagrams.length);
  });

  it('has a page for each entry point of a package, without what its errors inherit from Node', () => {
    expect(readdirSync(join(dist, base, 'api'))).toEqual(
      expect.arrayContaining(['core.html', 'express.html', 'nestjs.html']),
    );
    expect(existsSync(join(dist, base, 'api', 'http', 'adapter.html'))).toBe(true);
    expect(textOf('api/core')).not.toContain('stackTraceLimit');
  });

  it('edits files that the repository has', () => {
    const names = readdirSync(join(dist, base), { recursive: true, encoding: 'utf8' });
    const places = names.filter((name) => name.endsWith('.html') && name !== '404.html');
    const sources = places.flatMap((name) => sourcePath(name.replace(/html$/, 'md')) ?? []);

    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('continues with the next page of the menu, and nowhere after a page that is not in it', () => {
    expect(textOf('guide/algorithms').match(/class="VPLink link pager-link (prev|next)"/g)).toHaveLength(2);
    expect(textOf('decisions/0015-scripts-reply-with-state')).not.toContain('pager-link');
    expect(textOf('playground')).not.toContain('pager-link');
  });

  it('lists its pages for language models', () => {
    expect(readFileSync(join(dist, base, 'llms.txt'), 'utf8')).toContain(`${base}guide/recipes.md`);
    expect(readFileSync(join(dist, base, 'guide', 'recipes.md'), 'utf8')).toContain('# Recipes');
  });
});
