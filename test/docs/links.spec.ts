import { existsSync, readFileSync, statSync } from 'node:fs';
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
