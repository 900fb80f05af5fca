import { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { keepTogether } from '../../site/keep-together.mjs';

const vitepress = createRequire(join(realpathSync(join(root, 'site/node_modules/vitepress')), 'package.json'));
const MarkdownIt = vitepress('markdown-it') as new () => Parameters<typeof keepTogether>[0];
const render = (text: string) => keepTogether(new MarkdownIt()).render(text);

describe('keepTogether', () => {
  it('keeps a figure with its unit and its sign', () => {
    expect(render('10 000 keys, 40 % of 88 B, at most 5 ms, ≥ 2.4')).toBe(
      '<p>10\u00A0000 keys, 40\u00A0% of 88\u00A0B, at most 5\u00A0ms, ≥\u00A02.4</p>\n',
    );
  });

  it('leaves other spaces, and the text of a heading, whose address is made of it', () => {
    expect(render('# 10 000 keys')).toBe('<h1>10 000 keys</h1>\n');
    expect(render('5 members, 2 Belgians')).toBe('<p>5 members, 2 Belgians</p>\n');
  });

  it('marks code that fits a line, and no longer one', () => {
    expect(render('`sliding-window`')).toContain('<code class="whole">');
    expect(render("`app.use(rateLimit({ limit: 100, window: '1m' }))`")).toContain('<code>');
  });
});
