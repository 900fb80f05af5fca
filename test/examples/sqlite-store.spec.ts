import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeSuite } from '@sluice/core/testing';
import { sqliteStore } from '../../examples/sqlite-store/src/sqlite-store.js';
import { root } from '../../scripts/root.mjs';

describe('the SQLite store of the guide', () => {
  storeSuite({ describe, it }, () => sqliteStore());

  it('is the program that docs/guide/own-store.md shows', () => {
    const program = readFileSync(join(root, 'examples/sqlite-store/src/sqlite-store.ts'), 'utf8');

    expect(readFileSync(join(root, 'docs/guide/own-store.md'), 'utf8')).toContain(`\`\`\`ts\n${program}\`\`\``);
  });
});
