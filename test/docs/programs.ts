import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import { environment } from '../support/environment.js';

const run = promisify(execFile);

/** Runs programs in another process, against the sources. Resolves with the output of each. */
export async function outputsOf(paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(
    process.execPath,
    ['--import', './test/tools/typescript.mjs', 'test/docs/run-programs.mjs', ...paths],
    { cwd: root, env: environment(), timeout: 60_000 },
  );
  return stdout.split('\0\n').slice(0, -1);
}
