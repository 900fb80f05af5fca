import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { isMain, root } from './root.mjs';
import { workspacePackages } from './workspace.mjs';

const stamp = join(root, 'node_modules', '.sluice-install');

/**
 * Installs the dependencies unless what they are made from has not changed since the last time: a second run needs no
 * network. Ends the process when it cannot.
 */
export async function install() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  console.log('Installing dependencies …');
  // Without the warnings about dependencies of tools that prefer a newer Node.
  const code = await pnpm(['install', '--frozen-lockfile', '--loglevel=error']);
  if (code !== 0) process.exit(code);
  writeFileSync(stamp, wanted);
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)));
  for (const folder of workspacePackages()) {
    hash.update(folder).update(installedPart(readFileSync(join(folder, 'package.json'), 'utf8')));
  }
  return hash.digest('hex');
}

/**
 * What an installation is made from: a manifest without its exports, which only name files of the package.
 *
 * @param {string} manifest
 */
export function installedPart(manifest) {
  return JSON.stringify({ ...JSON.parse(manifest), exports: undefined });
}

if (isMain(import.meta.url)) void install();
