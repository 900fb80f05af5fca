/**
 * The section of a version in the changelog, for the notes of its release: `## [1.2.0] - 2027-01-31`. Undefined without one.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} [repository] its page. The page of a release is elsewhere, so links to files begin with this.
 */
export function notesOf(changelog, version, repository) {
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`[${version}] - `));
  const notes = section?.slice(section.indexOf('\n')).trim();
  if (repository === undefined) return notes;
  return notes?.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${repository}/blob/v${version}/$1)`);
}
