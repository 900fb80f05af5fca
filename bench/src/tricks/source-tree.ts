import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';

export interface SourceTreeOptions {
  /** A revision of git. @default the working tree */
  readonly revision?: string | undefined;
  /** A file that `git apply` reads. */
  readonly patch?: string | undefined;
}

/** A copy of the packages' sources, which contestants load instead of the build. */
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

function copyWorkingTree(folder: string): void {
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', name, 'src');
    if (existsSync(source)) cpSync(source, join(folder, 'packages', name, 'src'), { recursive: true });
  }
}

function copyRevision(folder: string, revision: string): void {
  const archive = execFileSync('git', ['archive', revision, 'packages'], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

function linkDependencies(folder: string): void {
  for (const name of readdirSync(join(folder, 'packages'))) {
    const modules = join(root, 'packages', name, 'node_modules');
    if (!existsSync(modules)) continue;
    mkdirSync(join(folder, 'packages', name), { recursive: true });
    symlinkSync(modules, join(folder, 'packages', name, 'node_modules'));
  }
}
