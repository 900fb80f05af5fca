import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
import { isMain, root } from './root.mjs';

const cache = join(root, 'node_modules', '.cache', 'sluice', 'prometheus');
const programs = ['prometheus', 'promtool', 'prometheus-redis-exporter'];
const packages = ['prometheus', 'prometheus-redis-exporter'];

export const prometheusAdvice =
  'test/prometheus did not run, because it needs the programs prometheus, promtool and prometheus-redis-exporter, ' +
  'which come from Debian: put them into one folder and set SLUICE_PROMETHEUS to its path.';

/**
 * The folder with Prometheus, its promtool and the exporter of Redis. Downloads them where there is apt. Undefined on a
 * system without them.
 *
 * @returns {string | undefined}
 */
export function prometheusFolder() {
  const named = process.env['SLUICE_PROMETHEUS'];
  if (named) return isComplete(named) ? resolve(named) : undefined;

  const installed = dirname(onPath('promtool') ?? cache);
  if (isComplete(installed)) return installed;
  if (!isComplete(cache)) download();
  return isComplete(cache) ? cache : undefined;
}

/** @param {string} folder */
function isComplete(folder) {
  return programs.every((program) => isProgram(join(folder, program)));
}

/** Unpacks the packages without installing them: an installed one starts a service on a port of the machine. */
function download() {
  if (!onPath('apt-get')) return;
  const draft = `${cache}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    if (!(fetchInto(draft) || (apt('update') && fetchInto(draft)))) return;
    for (const file of readdirSync(draft)) run(draft, 'dpkg-deb', '--extract', file, '.');
    // In one step, because another process may be about to start what is there.
    if (!existsSync(cache)) renameSync(join(draft, 'usr', 'bin'), cache);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param {string} folder */
function fetchInto(folder) {
  return run(folder, 'apt-get', 'download', '--option', 'APT::Sandbox::User=root', ...packages);
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {...string} args
 */
function run(folder, program, ...args) {
  return spawnSync(program, args, { cwd: folder, stdio: ['ignore', 2, 2] }).status === 0;
}

if (isMain(import.meta.url)) console.log(prometheusFolder() ?? prometheusAdvice);
