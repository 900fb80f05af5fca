import { createRequire } from 'node:module';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { placePictures } from '../../site/place-pictures.mjs';

const vitepress = createRequire(join(realpathSync(join(root, 'site/node_modules/vitepress')), 'package.json'));
const MarkdownIt = vitepress('markdown-it') as new () => Parameters<typeof placePictures>[0];
const render = (text: string, path: string) => placePictures(new MarkdownIt()).render(text, { path: join(root, path) });

describe('placePictures', () => {
  it('gives a picture its size, and lets its paragraph scroll', () => {
    expect(render('![Keys](keys.svg)', 'docs/benchmarks/README.md')).toMatch(
      /^<p class="picture" tabindex="0"><img src="keys.svg" alt="Keys" width="\d+" height="\d+"><\/p>\n$/,
    );
    expect(render('![Traffic](images/dashboard-traffic-light.png)', 'docs/guide/dashboard.md')).toMatch(
      / width="\d{3,4}" height="\d{3,4}">/,
    );
  });

  it('leaves text', () => {
    expect(render('Some text', 'docs/README.md')).toBe('<p>Some text</p>\n');
  });
});
