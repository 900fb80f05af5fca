import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { withDependencies } from '../../scripts/workspace.mjs';

const modules = (...path: string[]) => join(root, ...path, 'node_modules');

/**
 * Installs the built packages into a folder outside of the repository, as npm does: bundlers would otherwise follow the
 * paths of its tsconfig.json to the sources.
 *
 * @param names of packages of Sluice, without their scope; those that they depend on are installed, too
 * @param others packages that the folder's programs import, which are those of the tests
 */
export function installInto(folder: string, names: readonly string[], others: readonly string[] = []): void {
  const linked = new Set(others);
  for (const name of withDependencies(names)) {
    const from = join(root, 'packages', name);
    const to = join(folder, 'node_modules', '@sluice', name);
    mkdirSync(to, { recursive: true });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    for (const each of ['dist/cjs', 'dist/esm']) cpSync(join(from, each), join(to, each), { recursive: true });
    if (existsSync(join(from, 'docs'))) cpSync(join(from, 'docs'), join(to, 'docs'), { recursive: true, force: true });
    for (const each of dependenciesOf(name)) {
      if (each.startsWith('@sluice/') || linked.has(each) || !existsSync(join(modules('packages', name), each)))
        continue;
      linked.add(each);
      link(join(modules('packages', name), each), join(folder, 'node_modules', each));
    }
  }
  for (const name of others) link(join(modules('test'), name), join(folder, 'node_modules', name));
}

function dependenciesOf(name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    readonly dependencies?: object;
  };
  return Object.keys(manifest.dependencies ?? {});
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(realpathSync(from), to);
}
