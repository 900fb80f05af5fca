import { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { anchorOf } from '../../site/anchor.mjs';
import { pagePath } from '../../site/page-path.mjs';
import { searchSettings } from '../../site/search-settings.mjs';
import { pages, type Page } from '../docs/pages.js';
import { searches } from './searches.js';

/** The search of the site, as far as it is used here. */
interface Index {
  addAll(documents: readonly Section[]): void;
  search(words: string): readonly { readonly id: string }[];
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

const vitepress = createRequire(join(realpathSync(join(root, 'site/node_modules/vitepress')), 'package.json'));
const MiniSearch = vitepress('minisearch') as new (options: object) => Index;

// As VitePress does it, with the settings of the site. The spec of the built site asks the real one in a browser.
const index = new MiniSearch({
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchSettings.searchOptions },
  ...searchSettings.options,
});
index.addAll(pages().flatMap(sectionsOf));

describe('The search of the site', () => {
  it.each(searches)('finds "%s", and %s first', (words, path) => {
    expect(index.search(words)[0]?.id).toContain(path);
  });
});

/** The sections of a page, each from a heading to the next one. */
function sectionsOf({ path, text }: Page): readonly Section[] {
  const place = pagePath(path)
    ?.replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '.html');
  if (place === undefined) return [];
  let parents: readonly string[] = [];
  const headings = text.split(/^(?=#{1,6} )/m).filter((section) => section.startsWith('#'));
  const sections = headings.map((section): Section => {
    const [heading = '', ...lines] = section.split('\n');
    const [, marks = '', title = ''] = /^(#+) (.*)$/.exec(heading) ?? [];
    parents = [...parents.slice(0, marks.length - 1), title];
    const id = `/${place}#${anchorOf(title)}`;
    return { id, title, titles: parents.slice(0, -1), text: lines.join('\n') };
  });
  return sections.filter(({ id }, at) => sections.findIndex((other) => other.id === id) === at);
}
