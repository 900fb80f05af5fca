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

/**
 * The file of the repository that a page of the site is made of. Undefined for a page that is made of the code.
 *
 * @param {string} place
 * @example sourcePath('decisions/index.md'); // 'docs/decisions/README.md'
 */
export function sourcePath(place) {
  if (place.startsWith('api/')) return undefined;
  if (place === 'playground.md') return 'site/playground.md';
  const [source] = [...PLACES].find(([, each]) => each === place) ?? [];
  return source ?? `docs/${place.replace(/(^|\/)index\.md$/, '$1README.md')}`;
}
