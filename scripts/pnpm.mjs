import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './root.mjs';
import { run } from './run.mjs';

/**
 * Runs the pnpm that package.json pins, and resolves with its exit code. npm comes with every Node and fetches it, so
 * pnpm needs no installation.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function pnpm(args, options) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // One version never changes, so there is no need to ask again for what npm has kept of it.
  return run('npx', ['--yes', '--prefer-offline', packageManager, ...args], {
    shell: process.platform === 'win32',
    ...options,
  });
}

if (isMain(import.meta.url)) void pnpm(process.argv.slice(2)).then((code) => process.exit(code));
