import { spawnSync } from 'node:child_process';
import { onPath } from './on-path.mjs';

/**
 * Runs apt-get on Debian and its kin, as root or where sudo asks for no password. Returns whether it has succeeded.
 *
 * @param {...string} args
 */
export function apt(...args) {
  if (!onPath('apt-get')) return false;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;

  const [program = '', ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
  // What apt says belongs to the log, not to a path that the caller prints.
  return spawnSync(program, rest, { stdio: ['ignore', 2, 2] }).status === 0;
}
