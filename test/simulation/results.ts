import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';

/** What the simulation has found last: `npm run simulate -- … --save` writes it, and docs/proof.md shows it. */
export interface Results {
  readonly run: {
    readonly date: string;
    readonly seeds: number;
    readonly requests: number;
    readonly broken: number;
  };
  /** Seeds that each search has tried at most, and what they have found. */
  readonly planted: { readonly seeds: number; readonly found: readonly Finding[] };
  readonly mutants: { readonly seeds: number; readonly found: readonly Finding[] };
}

export interface Finding {
  readonly name: string;
  /** Undefined: no seed has found it. */
  readonly seed?: number | undefined;
}

const file = join(root, 'test', 'simulation', 'results.json');

export function readResults(): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

/** Keeps what a search has found of some, beside what is known of the others. */
export function saveFindings(search: 'planted' | 'mutants', seeds: number, fresh: readonly Finding[]): void {
  const known = new Map(readResults()[search].found.map((each) => [each.name, each]));
  for (const each of fresh) known.set(each.name, each);
  saveResults({ [search]: { seeds, found: [...known.values()] } });
}

export function saveResults(changed: Partial<Results>): void {
  writeFileSync(file, `${JSON.stringify({ ...readResults(), ...changed }, undefined, 2)}\n`);
}
