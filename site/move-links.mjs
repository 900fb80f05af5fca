import { dirname, join, relative } from 'node:path/posix';
import { pagePath } from './page-path.mjs';

const FENCE = /^ {0,3}(`{3,}).*\n[^]*?^ {0,3}\1/gm;
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/**
 * The text of a page with each link moved to the place of its target on the site. A link to a source file becomes a
 * link below `sources`, or plain text without it.
 *
 * @param {string} text
 * @param {string} path of the page in the repository
 * @param {string} [sources] address of the repository's files: `https://github.com/sluice/sluice/blob/main`
 */
export function moveLinks(text, path, sources) {
  return outsideFences(text, (part) =>
    part.replaceAll(LINK, (link, image, label, target) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return link;
      const [file = '', ...fragment] = target.split('#');
      const wanted = join(dirname(path), file);
      const place = pagePath(wanted);
      const ending = fragment.length === 0 ? '' : `#${fragment.join('#')}`;
      if (place !== undefined && !target.endsWith('/')) {
        return `${image}[${label}](${fromPage(path, place)}${ending})`;
      }
      return sources === undefined ? label : `${image}[${label}](${sources}/${wanted}${ending})`;
    }),
  );
}

/** @param {string} path @param {string} place */
function fromPage(path, place) {
  const link = relative(dirname(pagePath(path) ?? path), place);
  return link.startsWith('.') ? link : `./${link}`;
}

/** @param {string} text @param {(part: string) => string} change */
function outsideFences(text, change) {
  const fences = [...text.matchAll(FENCE)];
  const ends = fences.map((fence) => fence.index + fence[0].length);
  const parts = [...fences, undefined].map((fence, index) => {
    const prose = change(text.slice(ends[index - 1] ?? 0, fence?.index));
    return prose + (fence?.[0] ?? '');
  });
  return parts.join('');
}
