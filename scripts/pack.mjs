import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { root } from './root.mjs';
import { runTool } from './run.mjs';
import { publishedPackages, withDependencies } from './workspace.mjs';

/**
 * Packs every package as it would be published, and resolves with the paths of the tarballs.
 *
 * @param {string} folder where they go, and nothing else is
 * @param {string} [repository] its page, which goes into each package.json
 */
export async function packPackages(folder, repository) {
  const hook = join(root, 'scripts', 'repository-hook.cjs');
  // One run packs all of them: each run costs seconds.
  const code = await pnpm(
    ['--recursive', '--filter', './packages/*', `--config.pnpmfile=${hook}`, 'pack', '--pack-destination', folder],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(repository !== undefined && { SLUICE_REPOSITORY: repository }) },
    },
  );
  if (code !== 0) throw new Error('the packages cannot be packed');
  return readdirSync(folder).map((file) => join(folder, file));
}

/**
 * Whether what a tarball promises in its package.json holds, for Node and for the compiler: 0 when it does.
 *
 * @param {string} tarball
 */
export async function checkTarball(tarball) {
  const publint = await runTool('publint', ['run', tarball, '--strict']);
  const attw = await runTool('attw', [tarball]);
  return publint || attw;
}

/**
 * A command for each package, with those of Sluice that it depends on: no registry has them before a release.
 *
 * @param {readonly string[]} tarballs
 */
export function installCommands(tarballs) {
  const of = (/** @type {string} */ name) => tarballs.filter((file) => basename(file).startsWith(`sluice-${name}-`));
  const names = publishedPackages().map((folder) => basename(folder));
  return names
    .filter((name) => of(name).length > 0)
    .map((name) => [...withDependencies([name]).slice(1).toSorted(), name].flatMap(of))
    .map((files) => `npm install ${files.join(' ')}`);
}
