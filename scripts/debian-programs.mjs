import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
import { root } from './root.mjs';

/**
 * Programs of Debian that tests start.
 *
 * @typedef {object} DebianPrograms
 * @property {string} name of their folder in the cache
 * @property {string} variable of the environment that names a folder with them
 * @property {readonly string[]} programs
 * @property {readonly string[]} packages that have them
 * @property {string} folder of the programs in the packages: `usr/bin`
 * @property {string} [tree] the folder of the packages that has all that the programs read. By default that of the programs
 * @property {readonly string[]} [places] where they also are when they are installed
 */

/**
 * A folder with the programs. Downloads them where there is apt. Undefined on a system without them.
 *
 * @param {DebianPrograms} wanted
 * @returns {string | undefined}
 */
export function programFolder(wanted) {
  const named = process.env[wanted.variable];
  if (named) return isComplete(named, wanted) ? resolve(named) : undefined;

  const { name, folder, tree = folder, places = [] } = wanted;
  const cache = join(root, 'node_modules', '.cache', 'sluice', name);
  const cached = join(cache, relative(tree, folder));
  const found = dirname(onPath(wanted.programs[0] ?? '') ?? cached);
  const installed = [found, ...places].find((place) => isComplete(place, wanted));
  if (installed) return installed;
  if (!isComplete(cached, wanted)) download(cache, wanted);
  return isComplete(cached, wanted) ? cached : undefined;
}

/** @param {string} folder @param {DebianPrograms} wanted */
function isComplete(folder, { programs }) {
  return programs.every((program) => isProgram(join(folder, program)));
}

/**
 * Unpacks the packages without installing them: an installed one starts a service on a port of the machine.
 *
 * @param {string} cache
 * @param {DebianPrograms} wanted
 */
function download(cache, { packages, folder, tree = folder }) {
  if (!onPath('apt-get')) return;
  const draft = `${cache}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    if (!(fetchInto(draft, packages) || (apt('update') && fetchInto(draft, packages)))) return;
    for (const file of readdirSync(draft)) run(draft, 'dpkg-deb', '--extract', file, '.');
    for (const library of librariesIn(draft)) renameSync(library, join(draft, folder, basename(library)));
    // In one step, because another process may be about to start what is there.
    if (!existsSync(cache)) renameSync(join(draft, tree), cache);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Shared libraries of unpacked packages. They go beside the programs, for LD_LIBRARY_PATH. @param {string} draft */
function librariesIn(draft) {
  const folder = join(draft, 'usr', 'lib');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /^[^/]+\/lib[^/]+\.so(?:\.\d+)*$/.test(file)).map((file) => join(folder, file));
}

/** @param {string} folder @param {readonly string[]} packages */
function fetchInto(folder, packages) {
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
