import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Gives a picture its size, so that a browser leaves room for it before it is loaded. On a phone it scrolls in its
 * paragraph, also by the keyboard: its letters would be too small.
 *
 * @param {import('vitepress').MarkdownRenderer} markdown
 * @returns {import('vitepress').MarkdownRenderer}
 */
export function placePictures(markdown) {
  markdown.core.ruler.push('place-pictures', ({ tokens, env }) => {
    for (const [index, { children }] of tokens.entries()) {
      const [image, ...rest] = children ?? [];
      if (image?.type !== 'image' || rest.length > 0) continue;
      tokens[index - 1]?.attrSet('class', 'picture');
      tokens[index - 1]?.attrSet('tabindex', '0');
      const [width, height] = sizeOf(join(dirname(env.path), String(image.attrGet('src'))));
      image.attrSet('width', String(width));
      image.attrSet('height', String(height));
    }
  });
  return markdown;
}

/** Of a PNG or SVG, in pixels. @param {string} path */
function sizeOf(path) {
  const bytes = readFileSync(path);
  if (path.endsWith('.png')) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(bytes.toString())?.slice(1) ?? [];
}
