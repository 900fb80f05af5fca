import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeSuite } from '@sluice/core/testing';
import { sqliteStore } from '../../examples/sqlite-store/src/sqlite-store.js';
import { root } from '../../scripts/root.mjs';

describe('the SQLite store of the guide', () => {
  storeSuite({ describe, it }, () => sqliteStore());

  it('charges as docs/guide/own-store.md shows', () => {
    const words = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');
    const [shown] = /transaction\(\(now\) => \{ .*? return answer; \}\)/.exec(words('docs/guide/own-store.md'))!;

    expect(words('examples/sqlite-store/src/sqlite-store.ts')).toContain(shown);
  });
});
