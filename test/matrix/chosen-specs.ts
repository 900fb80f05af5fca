import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/root.mjs';
import type { Specs } from './row.js';

/** The files of the specs of a row. */
export async function chosenSpecs({ dependOn, match, except }: Specs): Promise<readonly string[]> {
  const found = [
    ...(dependOn.length > 0 ? await list('--findRelatedTests', ...dependOn) : []),
    ...(match ? (await list()).filter((file) => match.test(file)) : []),
  ];
  return [...new Set(found)].filter((file) => !except.test(file)).toSorted();
}

async function list(...options: readonly string[]): Promise<readonly string[]> {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { stdout } = await promisify(execFile)(process.execPath, [jest, '--listTests', ...options], { cwd: root });
  return stdout.split('\n').flatMap((path) => (path === '' ? [] : [relative(root, path)]));
}
