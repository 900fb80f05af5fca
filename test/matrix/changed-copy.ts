import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pnpm } from '../../scripts/pnpm.mjs';
import { root } from '../../scripts/root.mjs';
import { copyWorkspace } from '../../scripts/workspace-copy.mjs';
import { workspacePackages } from '../../scripts/workspace.mjs';
import { Gap, type Setting } from './row.js';
import { lineOf } from './version-range.js';

type Dependencies = Readonly<Record<string, string>>;
export interface Manifest {
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
}

/** Another version of a dependency, or of the packages of a scope. */
export interface Change {
  /** `express`, or `@nestjs`. */
  readonly name: string;
  readonly range: string;
  /** The line that it replaces: other packages of a scope have versions of their own. */
  readonly from: string;
}

/** A copy of the workspace whose packages depend on other versions, because the working tree stays as it is. */
export async function changedCopy(changes: readonly Change[]): Promise<Pick<Setting, 'folder' | 'dispose'>> {
  const folder = copyWorkspace('matrix');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const dispose = async () => {
    process.off('exit', remove);
    remove();
  };
  for (const path of workspacePackages()) {
    const file = join(folder, relative(root, path), 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    writeFileSync(file, `${JSON.stringify(withVersions(manifest, changes), undefined, 2)}\n`);
  }
  // Old versions have scripts that print, and pnpm would fail because it runs none.
  appendFileSync(join(folder, 'pnpm-workspace.yaml'), '\nstrictDepBuilds: false\n');
  const code = await pnpm(['install', '--no-frozen-lockfile', '--loglevel=error'], { cwd: folder });
  if (code === 0) return { folder, dispose };
  await dispose();
  throw new Gap(`pnpm cannot install ${changes.map(({ name, range }) => `${name} ${range}`).join(', ')}`);
}

/** The manifest with other versions of what it depends on already. */
export function withVersions(manifest: Manifest, changes: readonly Change[]): Manifest {
  const rangeOf = (name: string, range: string) => {
    // An alias names its version, and a package of the workspace has one.
    if (range.includes(':')) return range;
    const change = changes.find((each) => name === each.name || name.startsWith(`${each.name}/`));
    return change?.from === lineOf(range) ? change.range : range;
  };
  const changed = (dependencies: Dependencies) =>
    Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, rangeOf(name, range)]));
  return {
    ...manifest,
    ...(manifest.dependencies && { dependencies: changed(manifest.dependencies) }),
    ...(manifest.devDependencies && { devDependencies: changed(manifest.devDependencies) }),
  };
}
