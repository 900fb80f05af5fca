/** Longer code may break: a phone is some 38 letters wide. */
const LONGEST = 24;
/** `10 000`, `40 %`, `88 B`, `≥ 2.4`: a figure stays with its unit and its sign. */
const FIGURE = /(?<=\d) (?=(?:\d{3}|[µmn]?s|[kMG]?B)(?!\w)|%)|(?<=[≥≤×]) (?=\d)/g;

/**
 * Keeps short code and figures on one line, also in the narrow columns of a table.
 *
 * @param {import('vitepress').MarkdownRenderer} markdown
 * @returns {import('vitepress').MarkdownRenderer}
 * @example keepTogether(createMarkdown()).render('at most `sliding-window`, 10 000');
 */
export function keepTogether(markdown) {
  markdown.core.ruler.push('keep-together', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      // The address of a heading is made of its text.
      if (!children || tokens[index - 1]?.type === 'heading_open') continue;
      for (const child of children) {
        if (child.type === 'text') child.content = child.content.replaceAll(FIGURE, '\u00A0');
        if (child.type === 'code_inline' && child.content.length <= LONGEST) child.attrJoin('class', 'whole');
      }
    }
  });
  return markdown;
}
