import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

async function run(name: string): Promise<{ stdout: string; stderr: string }> {
  const args = ['--import', './test/tools/typescript.mjs', join('test', 'limiter', 'programs', `${name}.ts`)];
  return execute(process.execPath, args, { cwd: root });
}

describe('a program with a limiter', () => {
  it('has no unhandled rejection when functions of tiers fail', async () => {
    const { stdout, stderr } = await run('failing-functions');

    expect(stdout.trim()).toBe('all rejected');
    expect(stderr).not.toContain('Unhandled');
  });

  it('reports a listener that throws, and serves requests and other listeners', async () => {
    const { stdout } = await run('throwing-listener');

    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'ok,denied 2',
      'reported: out of order',
      'reported: out of order',
    ]);
  });
});
