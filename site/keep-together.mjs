/** Longer code may break: a phone is some 38 letters wide. */
const LONGEST = 24;
/** `10 000`, `40 %`, `88 B`, `≥ 2.4`: a figure stays with its unit and its sign. */
const FIGURE = /(?<=\d) (?=(?:\d{3}|[µmn]?s|[kMG]?B)(?!\w)|%)|(?<=[≥≤×]) (?=\d)/g;

/**
 * Keeps short code and figures on one line, also in the narrow columns of a table. A picture scrolls in its paragraph,
 * so that its letters stay large enough on a phone.
 *
 * @param {import('vitepress').MarkdownRenderer} markdown
 * @example keepTogether(createMarkdown()).render('at most `sliding-window`, 10 000');
 */
export function keepTogether(markdown) {
  markdown.core.ruler.push('keep-together', ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const before = tokens[index - 1];
      // The address of a heading is made of its text.
      if (!children || before?.type === 'heading_open') continue;
      if (children.length === 1 && children[0]?.type === 'image') before?.attrSet('class', 'picture');
      if (children.length === 1 && children[0]?.type === 'image') before?.attrSet('tabindex', '0');
      for (const child of children) {
        if (child.type === 'text') child.content = child.content.replaceAll(FIGURE, '\u00A0');
        if (child.type === 'code_inline' && child.content.length <= LONGEST) child.attrJoin('class', 'whole');
      }
    }
  });
  return markdown;
}
