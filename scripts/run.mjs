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

/**
 * The same for a command beside others: what it writes is printed when it has ended.
 *
 * @param {string} name
 * @param {readonly string[]} args
 */
export function printTool(name, args) {
  const isWindows = process.platform === 'win32';
  return new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', name), args, { cwd: root, shell: isWindows });
    let written = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (written += text));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(written);
      resolve(code ?? 1);
    });
  });
}
