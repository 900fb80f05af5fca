import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root } from '../../scripts/root.mjs';

describe('a listener that throws', () => {
  it('reaches neither the request nor who else listens, and is reported by Node', async () => {
    const program = join(root, 'test', 'limiter', 'throwing-listener.ts');
    const hooks = join(root, 'test', 'tools', 'typescript.mjs');

    const { stdout } = await promisify(execFile)(process.execPath, ['--import', hooks, program], { cwd: root });

    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'ok,denied 2',
      'reported: out of order',
      'reported: out of order',
    ]);
  });
});
