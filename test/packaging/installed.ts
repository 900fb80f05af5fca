import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';

const modules = (...path: string[]) => join(root, ...path, 'node_modules');

/**
 * Installs the built packages into a folder outside of the repository, as npm does: bundlers would otherwise follow the
 * paths of its tsconfig.json to the sources.
 *
 * @param names of packages of Sluice, without their scope
 * @param others packages that the folder's programs import, which are those of the tests
 */
export function installInto(folder: string, names: readonly string[], others: readonly string[] = []): void {
  for (const name of names) {
    const from = join(root, 'packages', name);
    const to = join(folder, 'node_modules', '@sluice', name);
    mkdirSync(to, { recursive: true });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    for (const each of ['dist/cjs', 'dist/esm']) cpSync(join(from, each), join(to, each), { recursive: true });
    cpSync(join(from, 'docs'), join(to, 'docs'), { recursive: true, force: true });
  }
  const ofCore = readdirSync(modules('packages', 'core')).filter((name) => !/^[.@]|^ioredis$/.test(name));
  for (const name of ofCore) link(join(modules('packages', 'core'), name), join(folder, 'node_modules', name));
  for (const name of others) link(join(modules('test'), name), join(folder, 'node_modules', name));
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to);
}
