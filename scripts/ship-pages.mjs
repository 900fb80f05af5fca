import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { root } from './root.mjs';
import { publishedPackages, withDependencies } from './workspace.mjs';

/** @typedef {ReadonlyMap<string, string>} Pages texts by their path below the folder docs of a package */

/** Pages with another name than the package that they go with. @type {Readonly<Record<string, string>>} */
const OWNERS = { 'alerts.md': 'prometheus', 'shedder.md': 'overload' };

/** What was tried stays in the repository. */
const EVIDENCE = ['conformance.md', 'faults.md', 'support.md'];

/** Sections of the index about what stays in the repository. */
const INSIDE = /^## Inside\n[^]*?(?=^## |$(?![^]))/m;

/**
 * The pages that go with each package, by its name. Core has the index, all guides and the whole reference, because every
 * package that limits brings core. A page of the reference that is named like a package goes with that package too. A link
 * to a page that is not there becomes text.
 *
 * @returns {ReadonlyMap<string, Pages>}
 */
export function shippedPages() {
  const names = publishedPackages().map((folder) => basename(folder));
  const guides = markdownIn('guide');
  const references = markdownIn('reference').filter((path) => !EVIDENCE.includes(basename(path)));
  const all = ['README.md', ...guides, ...references];
  return new Map(
    names.map((name) => {
      const own = name === 'core' ? all : references.filter((path) => ownerOf(path) === name);
      const besides = withDependencies([name]).includes('core') ? all : [];
      return [name, new Map(own.map((path) => [path, withLinksOf(path, own, besides)]))];
    }),
  );
}

/** Writes them into the folders of the packages. */
export function shipPages() {
  for (const [name, pages] of shippedPages()) {
    const docs = join(root, 'packages', name, 'docs');
    rmSync(docs, { recursive: true, force: true });
    for (const [path, text] of pages) {
      mkdirSync(dirname(join(docs, path)), { recursive: true });
      writeFileSync(join(docs, path), text);
    }
    if (name !== 'core') continue;
    mkdirSync(join(docs, 'guide/images'));
    const drawings = readdirSync(join(root, 'docs/guide/images')).filter((file) => file.endsWith('.svg'));
    for (const file of drawings) cpSync(join(root, 'docs/guide/images', file), join(docs, 'guide/images', file));
  }
}

/** @param {string} folder below docs */
function markdownIn(folder) {
  const names = readdirSync(join(root, 'docs', folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => posix.join(folder, name));
}

/** @param {string} path */
function ownerOf(path) {
  const page = basename(path);
  return OWNERS[page] ?? page.replace(/\.md$/, '');
}

/**
 * The text of a page whose links lead to pages of the same package or of core. Code is left as it is.
 *
 * @param {string} path
 * @param {readonly string[]} own pages of its package
 * @param {readonly string[]} besides pages of core beside it
 */
function withLinksOf(path, own, besides) {
  const text = readFileSync(join(root, 'docs', path), 'utf8').replace(INSIDE, '');
  const up = posix.relative(posix.dirname(posix.join('package/docs', path)), '.');
  /** @param {string} link */
  const moved = (link) => {
    if (/^(https?:|#)/.test(link)) return link;
    const [target = '', anchor] = link.split('#');
    const page = posix.join(posix.dirname(path), target);
    if (own.includes(page) || /^guide\/images\/.*\.svg$/.test(page)) return link;
    if (!besides.includes(page)) return undefined;
    return `${posix.join(up, 'core/docs', page)}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const linked = text
    .split(/(^```[^]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/(!?)\[([^\]]+)\]\(([^)\s]+)\)/g, (_whole, mark, words, link) => {
            const to = moved(link);
            return to === undefined ? words : `${mark}[${words}](${to})`;
          }),
    )
    .join('');
  // An entry of the index without its page says nothing.
  return path === 'README.md' ? linked.replaceAll(/^- (?!.*\]\().*\n/gm, '') : linked;
}
