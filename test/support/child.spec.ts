import { once } from 'node:events';
import { root } from '../../scripts/root.mjs';
import { spawn } from './child.js';

describe('spawn', () => {
  it('starts a program that ends when the process that has started it is killed', async () => {
    const args = ['--import', './test/tools/typescript.mjs', 'test/support/programs/parent.ts'];
    const parent = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const [started] = (await once(parent.stdout, 'data')) as [Buffer];

    parent.kill('SIGKILL');
    // The output ends when both have closed it.
    await once(parent.stdout, 'end');

    expect(started.toString()).toBe('started');
  });
});
