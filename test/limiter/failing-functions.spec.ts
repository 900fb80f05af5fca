import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../scripts/root.mjs';

describe('functions of tiers that fail', () => {
  it('leave no rejection unhandled', async () => {
    const program = join(root, 'test', 'limiter', 'failing-functions.ts');
    const hooks = join(root, 'test', 'tools', 'typescript.mjs');

    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', hooks, program], { cwd: root });

    expect(stdout.trim()).toBe('all rejected');
    expect(stderr).not.toContain('Unhandled');
  });
});
