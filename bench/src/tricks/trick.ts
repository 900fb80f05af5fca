import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/root.mjs';
import { isTrickRow, type TrickRowName } from './trick-rows.js';

const FOLDER = join(root, 'bench', 'tricks');

/** A mechanism that exists for speed alone, with the patch that switches it off. */
export interface Trick {
  readonly name: string;
  /** The patch. The lines before its first `diff` describe it. */
  readonly file: string;
  readonly title: string;
  /** Rows of the benchmark that it moves. */
  readonly rows: readonly TrickRowName[];
}

/** All tricks that `bench/tricks` has a patch of. @throws when a patch names no row of the benchmark */
export function readTricks(): readonly Trick[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.patch'))
    .toSorted()
    .map((name) => readTrick(join(FOLDER, name), name.slice(0, -'.patch'.length)));
}

function readTrick(file: string, name: string): Trick {
  const [head = ''] = readFileSync(file, 'utf8').split(/^diff /m, 1);
  const fields = new Map([...head.matchAll(/^(\w+): (.+)$/gm)].map(([, field, value]) => [field!, value!]));
  const rows = (fields.get('Rows') ?? '').split(/,\s*/).filter((row) => row !== '');
  const unknown = rows.find((row) => !isTrickRow(row));
  if (rows.length === 0 || unknown !== undefined) {
    throw new Error(`${file}: the line "Rows: ..." must name rows of the benchmark, got ${unknown ?? 'none'}`);
  }
  return { name, file, title: fields.get('Title') ?? name, rows: rows.filter(isTrickRow) };
}
