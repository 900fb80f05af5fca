/** The alternatives of a range in package.json: `^5.11.0 || ^6.0.0` has two. */
export function alternativesOf(range: string): readonly string[] {
  return range.split('||').map((each) => each.trim());
}

/** The lowest version of an alternative. */
export function lowestOf(alternative: string): string {
  const [version] = /\d+(\.\d+)*/.exec(alternative) ?? [];
  if (version === undefined) throw new Error(`${alternative} names no version`);
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.');
}

/** What a caret holds constant: the major version, or the minor one before 1.0. */
export function lineOf(version: string): string {
  const [major, minor] = lowestOf(version).split('.');
  return major === '0' ? `0.${minor}` : major!;
}
