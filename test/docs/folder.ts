import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/root.mjs';

/** A folder that is removed in the end, with whatever is in it. */
export function withFolder<T>(use: (folder: string) => T): T {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-docs-')));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where the sources are that stand for the names of packages. */
export const sources = {
  '@sluice/core': join(root, 'packages', 'core', 'src', 'index.ts'),
  '@sluice/core/testing': join(root, 'packages', 'core', 'src', 'testing', 'index.ts'),
  ioredis: join(root, 'test', 'node_modules', 'ioredis', 'built', 'index.js'),
} as const;

/** Writes a program with the names of packages replaced by the files that they stand for. Returns its path. */
export function writeProgram(folder: string, name: string, code: string): string {
  const path = join(folder, name);
  const linked = code.replaceAll(/from '([^'.]+)'/g, (text, specifier: string) =>
    specifier in sources ? `from '${pathToFileURL(sources[specifier as keyof typeof sources]).href}'` : text,
  );
  writeFileSync(path, linked);
  return path;
}
