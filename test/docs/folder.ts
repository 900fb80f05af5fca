import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls a function with a temporary folder, and removes the folder afterwards. */
export function withFolder<T>(use: (folder: string) => T): T {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-docs-')));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
