import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** What the simulation has found last: `npm run tool -- simulate … --save` writes it, and docs/proof.md shows it. */
export interface Results {
  readonly run: {
    readonly date: string;
    readonly seeds: number;
    readonly requests: number;
    readonly broken: number;
  };
  readonly planted: readonly Finding[];
  readonly mutants: readonly Finding[];
}

export interface Finding {
  readonly name: string;
  /** Seeds that were tried at most. */
  readonly seeds: number;
  /** Undefined: no seed has found it. */
  readonly seed?: number | undefined;
}

const file = join(root, 'test', 'simulation', 'results.json');

export function readResults(): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

/** Keeps what a search has found beside what is known. */
export function saveFinding(search: 'planted' | 'mutants', fresh: Finding): void {
  const known = new Map(readResults()[search].map((each) => [each.name, each]));
  known.set(fresh.name, fresh);
  saveResults({ [search]: [...known.values()] });
}

export function saveResults(changed: Partial<Results>): void {
  writeFileSync(file, `${JSON.stringify({ ...readResults(), ...changed }, undefined, 2)}\n`);
}
