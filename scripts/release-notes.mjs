/**
 * The section of a version in the changelog, for the notes of its release: `## [1.2.0] - 2027-01-31`. Undefined without one.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`[${version}] - `));
  return section?.slice(section.indexOf('\n')).trim();
}
