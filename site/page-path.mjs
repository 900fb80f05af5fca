/** Where files of the repository stand on the site when docs/ does not hold them. */
const PLACES = new Map([
  ['README.md', 'index.md'],
  ['CHANGELOG.md', 'changes.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ['docs/README.md', 'pages.md'],
]);

/** The files outside docs/ that are pages of the site. */
export const topPages = [...PLACES.keys()].filter((path) => !path.startsWith('docs/'));

/**
 * Where a file of the repository stands on the site. Undefined for a file that the site does not have.
 *
 * @param {string} path of the file, from the root of the repository
 * @example pagePath('docs/decisions/README.md'); // 'decisions/index.md'
 */
export function pagePath(path) {
  const place = PLACES.get(path);
  if (place !== undefined) return place;
  // Data beside a page is a file of the repository.
  if (!path.startsWith('docs/') || path.endsWith('.json')) return undefined;
  return path.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}
