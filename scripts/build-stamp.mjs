import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

/** What a build reads and writes. */
const PLACES = [
  'docs/README.md',
  'docs/guide',
  'docs/reference',
  'examples',
  'monitoring',
  'packages',
  'pnpm-lock.yaml',
  'scripts',
  'tsconfig.base.json',
  'tsconfig.build.json',
];
const STAMP = 'packages/core/dist/built.txt';

/** Whether all files are as the last build has found and left them. */
export function isBuilt(workspace = root) {
  const stamp = join(workspace, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(workspace);
}

/** Remembers the files of a build that has succeeded. */
export function setBuilt(workspace = root) {
  writeFileSync(join(workspace, STAMP), fingerprint(workspace));
}

/** @param {string} workspace */
function fingerprint(workspace) {
  const hash = createHash('sha256');
  for (const path of PLACES.flatMap((place) => filesAt(join(workspace, place)))) {
    hash.update(relative(workspace, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {readonly string[]} */
function filesAt(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesAt(join(path, entry.name));
    const isPart = entry.isFile() && !entry.name.endsWith('.spec.ts') && entry.name !== 'built.txt';
    return isPart ? [join(path, entry.name)] : [];
  });
}
