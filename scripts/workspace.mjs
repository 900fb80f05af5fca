import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The folders of the packages that are published. */
export function publishedPackages() {
  return packagesIn('packages');
}

/** The folders of all packages of the workspace, as pnpm-workspace.yaml lists them. */
export function workspacePackages() {
  const singles = ['test', 'bench', 'site'].flatMap(packageAt);
  return [root, ...packagesIn('packages'), ...packagesIn('examples'), ...singles];
}

/** @param {string} folder */
function packagesIn(folder) {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).flatMap((name) => packageAt(join(folder, name))) : [];
}

/** @param {string} folder */
function packageAt(folder) {
  const path = join(root, folder);
  return existsSync(join(path, 'package.json')) ? [path] : [];
}
