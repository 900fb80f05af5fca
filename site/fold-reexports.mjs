const REEXPORTS = /(?:^### .+\n\nRe-exports (?:\[.+\]\(.+\)|.+)(?:\n\n\*\*\*)?\n*)+/gm;

/**
 * A page of a package's exports with the headings of names from other packages folded to one list.
 *
 * @param {string} text
 */
export function foldReexports(text) {
  return text.replaceAll(REEXPORTS, (headings) => {
    const names = [...headings.matchAll(/^Re-exports (.+)$/gm)].map(([, name = '']) => name);
    return `${names.join(', ')}\n`;
  });
}
