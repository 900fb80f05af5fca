import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../scripts/root.mjs';

export interface SourceTreeOptions {
  /** A revision of git. @default the working tree */
  readonly revision?: string | undefined;
  /** A file that `git apply` reads. */
  readonly patch?: string | undefined;
}

/** A copy of the sources: of the packages, which contestants load instead of the build, and of the contestants. */
export interface SourceTree {
  readonly folder: string;
  remove(): void;
}

/** @throws when git does not know the revision, or the patch does not apply */
export function copySources({ revision, patch }: SourceTreeOptions): SourceTree {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tricks-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (revision === undefined) copyWorkingTree(folder);
    else copyRevision(folder, revision);
    linkDependencies(folder);
    // Outside a repository `git apply` needs no index.
    if (patch !== undefined)
      execFileSync('git', ['apply', patch], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A program of the benchmark in a copy: a contestant of a revision imports what the packages of this revision export. */
export function programOf(folder: string, file: string): URL {
  return pathToFileURL(join(folder, 'bench', 'src', file));
}

function copyWorkingTree(folder: string): void {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  const parts = packages.flatMap((name) => [join(name, 'src'), join(name, 'package.json')]);
  for (const part of [...parts, 'bench/src', 'bench/package.json', 'scripts']) {
    if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
  }
}

function copyRevision(folder: string, revision: string): void {
  const parts = ['packages', 'bench', 'scripts'];
  const archive = execFileSync('git', ['archive', revision, ...parts], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

/**
 * Gives each package of the copy what its package.json asks for. A package of a revision may need what another package
 * of this tree has, because files move between packages.
 */
function linkDependencies(folder: string): void {
  const packagesOf = (tree: string) => [
    ...readdirSync(join(tree, 'packages')).map((name) => join('packages', name)),
    'bench',
  ];
  const installing = packagesOf(root);
  for (const name of packagesOf(folder)) {
    const manifest = join(folder, name, 'package.json');
    if (!existsSync(manifest)) continue;
    for (const dependency of dependenciesOf(manifest)) {
      const installed = [name, ...installing]
        .map((each) => join(root, each, 'node_modules', dependency))
        .find(existsSync);
      if (installed === undefined) continue;
      const link = join(folder, name, 'node_modules', dependency);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(installed, link);
    }
  }
}

/** Without packages of this workspace: sources are loaded instead. */
function dependenciesOf(manifest: string): readonly string[] {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as Partial<
    Record<string, Readonly<Record<string, string>>>
  >;
  const names = Object.keys({ ...devDependencies, ...peerDependencies, ...dependencies });
  return names.filter((name) => !name.startsWith('@sluice/'));
}
