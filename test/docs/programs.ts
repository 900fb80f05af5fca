import { root } from '../../scripts/root.mjs';
import { execute } from '../support/child.js';
import { environment } from '../support/environment.js';

/** Runs programs in another process, on the built packages. Resolves with the output of each. */
export async function outputsOf(paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await execute(
    process.execPath,
    ['--import', './test/tools/typescript.mjs', 'test/docs/run-programs.mjs', ...paths],
    { cwd: root, env: environment(), timeout: 60_000 },
  );
  return stdout.split('\0\n').slice(0, -1);
}
