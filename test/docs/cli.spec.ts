import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { cliReference } from './cli/reference.js';

describe('docs/reference/cli.md', () => {
  it('is up to date (otherwise run `npm run reference`)', () => {
    expect(readFileSync(join(root, 'docs', 'reference', 'cli.md'), 'utf8')).toBe(cliReference());
  });
});
