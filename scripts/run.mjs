import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.mjs';

/**
 * Runs a command in the workspace with this terminal, and resolves with its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a command that a dependency of the workspace installs.
 *
 * @param {string} name
 * @param {readonly string[]} args
 */
export function runTool(name, args) {
  // What npm and pnpm install on Windows is a command file, which only a shell can run.
  return run(join(root, 'node_modules', '.bin', name), args, { shell: process.platform === 'win32' });
}
