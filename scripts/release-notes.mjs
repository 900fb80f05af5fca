/**
 * The section of a version in the changelog, for the notes of its release. Undefined without one.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const section = changelog
    .split(/^## /m)
    .find((each) => each.startsWith(`${version} `) || each.startsWith(`${version}\n`));
  return section?.slice(section.indexOf('\n')).trim();
}
