import { anchorOf } from './anchor.mjs';

const HEADING = /^#+ (.+)$/gm;
const NUMBERED = /\(#([\w-]+)-\d+\)/g;

/**
 * A page of a package's exports whose links lead to its headings. typedoc numbers `UsageExportStatus`, because it gives
 * `UsageExport.status` the same anchor, but the heading of the latter is `status()`.
 *
 * @param {string} text
 */
export function linkHeadings(text) {
  const anchors = [...text.matchAll(HEADING)].map(([, heading = '']) => anchorOf(heading));
  return text.replaceAll(NUMBERED, (link, anchor) =>
    // Rows of tables have the numbers of typedoc.
    anchors.filter((each) => each === anchor).length === 1 ? `(#${anchor})` : link,
  );
}
