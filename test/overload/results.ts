import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import type { LoadRow } from './load-row.js';
import type { PauseRow } from './pause-row.js';

/** What `npm run tool -- overload --keep` has measured last: docs/benchmarks/overload.md shows it. */
export interface Results {
  readonly machine: string;
  readonly rows: readonly (LoadRow | PauseRow)[];
}

const FILE = join(root, 'docs', 'benchmarks', 'overload.json');

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results;
}

/** Takes the place of an earlier row about the same, so that a long run can be made of short ones. */
export function keepRow(row: LoadRow | PauseRow, machine: string): void {
  const name = nameOf(row);
  const others = readResults().rows.filter((each) => nameOf(each) !== name);
  const rows = [...others, row].toSorted((one, other) =>
    nameOf(one).localeCompare(nameOf(other), 'en', { numeric: true }),
  );
  writeFileSync(FILE, `${JSON.stringify({ machine, rows }, undefined, 2)}\n`);
}

/** Two rows of one name are about the same. */
function nameOf(row: LoadRow | PauseRow): string {
  const { kind, server, connections, transport = 'tcp', cluster = '', proxy = '', version, load } = row;
  const major = version.split('.')[0];
  const own = row.kind === 'load' ? row.run : row.pause;
  return [kind, major, cluster, proxy, transport, connections, server, load, own].join(' ');
}
