import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { anchorOf } from '../../site/anchor.mjs';
import { pages, prose } from './pages.js';

describe.each(pages().map((page) => [page.path, page] as const))('%s', (_, page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);

  it('has no broken link', () => {
    const broken = links.filter((target) => !/^https?:/.test(target)).filter((target) => !resolves(page.path, target));

    expect(broken).toEqual([]);
  });
});

it('every page below docs is linked from another page', () => {
  const reached = pages().flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, target]) => join(dirname(path), target!)),
  );

  expect(
    pages()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('docs') && !reached.includes(path)),
  ).toEqual([]);
});

it('`@sluice/migrate` names pages and sections that exist', () => {
  const folder = join(root, 'packages/migrate/src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const texts = sources.map((path) => readFileSync(join(folder, path), 'utf8'));
  const links = texts.flatMap((text) => text.match(/docs\/[\w/-]+\.md(#[\w-]+)?/g) ?? []);
  // Some end in the name of a section: `${GUIDE}#behaviour`.
  const behaviours = texts.flatMap((text) =>
    text.includes('${GUIDE}#behaviour') ? (text.match(/docs\/guide\/migrate-from[\w-]+\.md/g) ?? []) : [],
  );

  expect(links.length).toBeGreaterThan(10);
  expect([...links, ...behaviours.map((link) => `${link}#behaviour`)].filter((link) => !resolves('', link))).toEqual(
    [],
  );
});

function resolves(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, from) : join(root, dirname(from), path);
  if (!existsSync(file)) return false;
  if (anchor === undefined) return true;
  return statSync(file).isFile() && anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
}
