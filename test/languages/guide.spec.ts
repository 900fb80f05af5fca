import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { blockOf } from './guide-limits.js';

describe('docs/guide/one-limit.md', () => {
  it.each([
    ['go', 'check.go'],
    ['python', 'check.py'],
  ])('shows the program in %s that is run as %s', (language, file) => {
    const program = readFileSync(join(root, 'examples', 'one-limit', file), 'utf8');

    expect(blockOf(language, '')).toBe(program);
  });
});
