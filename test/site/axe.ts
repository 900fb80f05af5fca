import type { Page } from 'playwright-core';

type Scheme = 'light' | 'dark';

/** A width, a scheme, and the rules of axe that run: all of them, unless some are named. */
type Look = readonly [width: number, scheme: Scheme, rules?: readonly string[]];

/** A desktop, a tablet and a phone, each light and dark. The phone is last, so that the next page is loaded on it. */
export const ALL_LOOKS: readonly Look[] = [1440, 800, 375].flatMap((width) => [
  [width, 'light'] as const,
  [width, 'dark'] as const,
]);
/**
 * For pages of a kind of which another page is read in all looks. Its content is the same at each width, but for what
 * scrolls, and the same in each scheme, but for colours, which take half of the time.
 */
export const LOOKS: readonly Look[] = [
  [1440, 'light', ['scrollable-region-focusable']],
  [800, 'dark', ['scrollable-region-focusable']],
  [375, 'light'],
  [375, 'dark', ['color-contrast', 'link-in-text-block']],
];

/** Lets axe read a page that is open. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addScriptTag({ path: require.resolve('axe-core') });
  // Between two schemes a colour is one of neither.
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' });
}

/** What axe finds in a part of the page in these looks, and where the page is too wide. */
export async function faultsOf(page: Page, part: string, looks = ALL_LOOKS): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [width, colorScheme, rules] of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (needed > width) faults.push(`the page is ${needed} pixels wide`);
    const violations = await violationsOn(page, part, rules);
    faults.push(...violations.map((each) => `${width}, ${colorScheme}: ${each}`));
  }
  return faults;
}

interface Axe {
  run(within: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

async function violationsOn(page: Page, part: string, rules?: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(
    async ([selector, named]) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      // Without the last two it loads each style sheet again, and looks for frames: half of its time.
      const options = { ...(named && { runOnly: named }), resultTypes: ['violations'], preload: false, iframes: false };
      const { violations } = await axe.run(selector, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
    },
    [part, rules] as const,
  );
}
