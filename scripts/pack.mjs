import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pnpm } from './pnpm.mjs';
import { root } from './root.mjs';
import { runTool } from './run.mjs';
import { publishedPackages } from './workspace.mjs';

/**
 * Packs every package as it would be published, and resolves with the paths of the tarballs.
 *
 * @param {string} folder where they go, and nothing else is
 * @param {string} [repository] its page, which goes into each package.json
 */
export async function packPackages(folder, repository) {
  const hook = join(root, 'scripts', 'repository-hook.cjs');
  for (const path of publishedPackages()) {
    const code = await pnpm(['--dir', path, `--config.pnpmfile=${hook}`, 'pack', '--pack-destination', folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...(repository !== undefined && { SLUICE_REPOSITORY: repository }) },
    });
    if (code !== 0) throw new Error(`${path} cannot be packed`);
  }
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
 * A command for each package, with core, which it needs.
 *
 * @param {readonly string[]} tarballs
 */
export function installCommands(tarballs) {
  const core = tarballs.filter((tarball) => /sluice-core-/.test(tarball));
  const others = tarballs.filter((tarball) => !core.includes(tarball));
  return [core, ...others.map((tarball) => [...core, tarball])].map((files) => `npm install ${files.join(' ')}`);
}
