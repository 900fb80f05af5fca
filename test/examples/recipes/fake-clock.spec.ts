import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import { execute } from '../../support/child.js';

it('the recipe fake-clock passes as a test of Node', async () => {
  const path = join(root, 'examples', 'recipes', 'fake-clock.test.js');

  const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', path]);

  expect(stdout).toContain('# pass 2');
  expect(stdout).toContain('# fail 0');
});
