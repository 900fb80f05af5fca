import { gzipSync } from 'node:zlib';
import { html, pageFiles } from './page-files.js';
import { script, style } from './page.js';

describe('the page', () => {
  it('has at most 40.5 kB of scripts and styles, compressed', () => {
    expect(gzipSync(script.text).length + gzipSync(style.text).length).toBeLessThanOrEqual(40_500);
  });

  it('names its files by relative addresses', () => {
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);

    expect(new Set(addresses)).toEqual(new Set(pageFiles.keys()));
  });
});
