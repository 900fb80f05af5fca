import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isMain, root } from './root.mjs';

const cache = join(root, 'node_modules', '.cache', 'sluice');

const advice =
  'The tests need redis-server 7 or newer: on Debian run `apt-get install redis-tools`, on macOS `brew install redis`, ' +
  'with Docker `docker run --rm -v "$PWD":/sluice -w /sluice node:22-bookworm npm test`; ' +
  'or set SLUICE_REDIS_SERVER to the path of one.';

/** The path of a redis-server. Installs one where that is allowed, and ends the process where it is not. */
export function redisServer() {
  const path = find() ?? (installTools() ? find() : undefined);
  if (path) return path;

  console.error(advice);
  process.exit(1);
}

function find() {
  const named = process.env['SLUICE_REDIS_SERVER'];
  if (named) return isProgram(named) ? resolve(named) : undefined;

  const checker = onPath('redis-check-rdb');
  return onPath('redis-server') ?? onPath('valkey-server') ?? (checker && renamed(checker));
}

/**
 * Server and checker are one program that goes by the name it is called by. Debian has the checker in a package that
 * starts no service on the port of the user's own Redis.
 *
 * @param {string} checker
 */
function renamed(checker) {
  const link = join(cache, 'redis-server');
  const draft = `${link}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  symlinkSync(checker, draft);
  // In one step, because another process may be about to start what is there.
  renameSync(draft, link);
  return link;
}

/** Debian and its kin, as root or where sudo asks for no password. */
function installTools() {
  if (process.env['SLUICE_REDIS_SERVER'] || !onPath('apt-get')) return false;
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;

  return ['update', 'install -y --no-install-recommends redis-tools'].every((command) => {
    const [program = '', ...args] = [
      ...sudo,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      ...command.split(' '),
    ];
    // What apt says belongs to the log, not to the path that this prints.
    return spawnSync(program, args, { stdio: ['ignore', 2, 2] }).status === 0;
  });
}

/** @param {string} program */
function onPath(program) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (isMain(import.meta.url)) console.log(redisServer());
