import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { keysReference } from './keys/reference.js';

describe('docs/reference/keys.md', () => {
  it('is up to date (otherwise run `npm run reference`)', () => {
    expect(readFileSync(join(root, 'docs', 'reference', 'keys.md'), 'utf8')).toBe(keysReference());
  });
});
