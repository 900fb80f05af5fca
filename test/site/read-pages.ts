import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_LOOKS, faultsOf, loadAxe, LOOKS } from './axe.js';
import { base, dist, serveBuiltSite, type BuiltSite, type Reader } from './built-site.js';

const PAGES = readdirSync(join(dist, base), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && !name.startsWith('api/'))
  .map((name) => name.slice(0, -'.html'.length))
  // Pages of exports have the widest tables.
  .concat(['api/core', 'api/quotas', 'api/dashboard']);
/** They have what no other page has, so axe reads them whole. Of the others it reads the content. */
const WHOLE = ['404', 'index', 'playground', 'pages', 'guide/algorithms'];
/** One of each other kind: tabs and long code, options, figures, a diagram, a decision, a list, exports, a change. */
const ONE_OF_A_KIND = [
  'guide/getting-started',
  'guide/migrate-from-express-rate-limit',
  'reference/tiers',
  'reference/cli',
  'benchmarks/index',
  'benchmarks/tricks',
  'architecture',
  'decisions/index',
  'decisions/0015-scripts-reply-with-state',
  'api/dashboard',
  'changes',
];
/** What may move while a page loads: what browsers count as good. */
const MOST_SHIFT = 0.1;

/** Specs of the pages of the built site whose path matches: a file of specs for each half, so that they run side by side. */
export function readPages(paths: RegExp): void {
  let site: BuiltSite;
  let reader: Reader;

  beforeAll(async () => {
    site = await serveBuiltSite();
    // One page for all: a context of its own costs as much as the load.
    reader = await site.reader({ viewport: { width: 375, height: 800 } });
    await reader.page.addInitScript(`globalThis.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (globalThis.shift += value)))
        .observe({ type: 'layout-shift', buffered: true })`);
  }, 60_000);

  afterAll(() => site.close());

  it.each(PAGES.filter((path) => paths.test(path)))(
    'shows %s at three widths, light and dark, without an error, a fault that axe finds, a jump, or scrolling sideways',
    async (path) => {
      const { page, troubles, open } = reader;
      troubles.length = 0;
      await open(path);
      const shift = await page.evaluate<number>('shift');
      await loadAxe(page);

      const looks = [...WHOLE, ...ONE_OF_A_KIND].includes(path) ? ALL_LOOKS : LOOKS;
      const faults = await faultsOf(page, WHOLE.includes(path) ? 'html' : '.VPContent', looks);

      expect(faults).toEqual([]);
      expect(troubles).toEqual([]);
      expect(shift).toBeLessThan(MOST_SHIFT);
    },
    120_000,
  );
}
