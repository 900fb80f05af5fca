import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The folders of the packages that are published. */
export function publishedPackages() {
  return packagesIn('packages');
}

/**
 * The same packages, and those of Sluice that they depend on. All without their scope.
 *
 * @param {readonly string[]} names
 */
export function withDependencies(names) {
  const all = new Set(names);
  for (const name of all) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
    for (const each of Object.keys(dependencies))
      if (each.startsWith('@sluice/')) all.add(each.slice('@sluice/'.length));
  }
  return [...all];
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
