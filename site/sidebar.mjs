import { moveLinks } from './move-links.mjs';

/**
 * The groups of the site's menu: those of the index of the documentation.
 *
 * @param {string} index text of docs/README.md
 * @returns {{ text: string, items: { text: string, link: string }[] }[]}
 */
export function sidebar(index) {
  const [, ...groups] = moveLinks(index, 'docs/README.md').split(/^## /m);
  return groups.map((group) => {
    const [text = '', ...lines] = group.split('\n');
    return { text, items: lines.flatMap(linksOf) };
  });
}

/** @param {string} line */
function linksOf(line) {
  return [...line.matchAll(/\[([^\]]+)\]\(\.\/([^)]+?)(?:index)?\.md\)/g)].map(([, label = '', path]) => ({
    text: label.charAt(0).toUpperCase() + label.slice(1),
    link: `/${path}`,
  }));
}
