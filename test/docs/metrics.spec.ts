import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { metricsReference } from './metrics/reference.js';

describe('docs/reference/metrics.md', () => {
  it('is up to date (otherwise run `npm run reference`)', () => {
    expect(readFileSync(join(root, 'docs', 'reference', 'metrics.md'), 'utf8')).toBe(metricsReference());
  });
});
