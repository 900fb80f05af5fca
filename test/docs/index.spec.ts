import { join } from 'node:path';
import { page, pages } from './pages.js';

const INDEX = 'docs/README.md';

it('README.md links the index of the documentation', () => {
  expect(linksOf('README.md')).toContain(INDEX);
});

it('the index links every page below docs, except single decisions', () => {
  const linked = linksOf(INDEX);

  expect(
    pages()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('docs/') && path !== INDEX)
      .filter((path) => !/^docs\/decisions\/\d/.test(path))
      .filter((path) => !linked.includes(path)),
  ).toEqual([]);
});

it('the index links no page twice', () => {
  const linked = linksOf(INDEX);

  expect(linked.filter((path, index) => linked.indexOf(path) !== index)).toEqual([]);
});

function linksOf(path: string): readonly string[] {
  return [...page(path).text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, target]) => join(path, '..', target!));
}
