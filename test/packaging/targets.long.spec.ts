import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';

/** The errors of the compiler for the program in `targets`, whose declarations it checks too. */
async function errorsFor(target: string): Promise<string> {
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const project = join(root, 'test', 'packaging', 'targets');
  return execute(compiler, ['--project', project, '--target', target]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe('The declarations', () => {
  it.each(['es2018', 'es2020'])('compile in a program for %s that checks its libraries', async (target) => {
    expect(await errorsFor(target)).toBe('');
  });
});
