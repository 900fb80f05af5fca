import { faultsOf, loadAxe } from './axe.js';
import { serveBuiltSite, type BuiltSite, type Reader } from './built-site.js';
import { searches } from './searches.js';

let site: BuiltSite;
let reader: Reader;

beforeAll(async () => {
  site = await serveBuiltSite();
  reader = await site.reader();
  await reader.open('index');
  await reader.page.keyboard.press('Control+k');
});

afterAll(() => site.close());

/** The addresses that the search lists for what a reader types. */
async function found(words: string): Promise<readonly string[]> {
  const { page } = reader;
  const links = page.locator('.results a');
  await page.locator('.search-input').fill('');
  await links.first().waitFor({ state: 'detached' });
  await page.locator('.search-input').fill(words);
  await links.first().waitFor();
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
}

describe('the search of the built site', () => {
  it.each(searches)('finds "%s", and %s first', async (words, path) => {
    expect((await found(words))[0]).toContain(path);
    expect(reader.troubles).toEqual([]);
  });

  it('is read by axe without a fault, at three widths, light and dark', async () => {
    await found('429');
    await loadAxe(reader.page);

    const faults = await faultsOf(reader.page, '.VPLocalSearchBox');

    // The options of VitePress are links: a list of links could not say which one the arrows have reached.
    expect(faults.filter((fault) => !fault.includes('nested-interactive: <li'))).toEqual([]);
  });

  it('opens what it found first by the keyboard', async () => {
    await found('nginx');
    await reader.page.keyboard.press('Enter');
    await reader.page.waitForURL(/guide\/proxies\.html#nginx$/);

    await reader.page.locator('h3#nginx, h2#nginx').waitFor();
    expect(reader.troubles).toEqual([]);
  });
});
