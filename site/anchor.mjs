/**
 * The anchor that GitHub gives a heading: lower case, without punctuation, with dashes for spaces. The site gives the
 * same one, so a link holds in both.
 *
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
