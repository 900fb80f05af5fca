import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apt } from './apt.mjs';
import { isProgram, onPath } from './on-path.mjs';
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

/** The package with the checker. */
function installTools() {
  return (
    !process.env['SLUICE_REDIS_SERVER'] &&
    apt('update') &&
    apt('install', '-y', '--no-install-recommends', 'redis-tools')
  );
}

if (isMain(import.meta.url)) console.log(redisServer());
