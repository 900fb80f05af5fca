import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { cliReference, migrateReference } from './cli/reference.js';

describe.each([
  ['cli.md', cliReference],
  ['migrate.md', migrateReference],
])('docs/reference/%s', (name, written) => {
  it('is up to date (otherwise run `npm run reference`)', () => {
    expect(readFileSync(join(root, 'docs', 'reference', name), 'utf8')).toBe(written());
  });
});
