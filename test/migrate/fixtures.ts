import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationOf } from '../../packages/migrate/src/migrate.js';
import type { Migration } from '../../packages/migrate/src/print-migration.js';
import { root } from '../../scripts/root.mjs';

const folder = join(root, 'test/migrate/programs');

/** Programs of other limiters, by their paths in `programs/`: written like those of the authors of each. */
export const FIXTURES: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.\w+$/.test(path))
  .toSorted();

export function textOf(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** Translates one program. */
export async function migrated(path: string, text: string): Promise<Migration> {
  return migrationOf(new Map([[path, text]]));
}
