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
  readonly mutants: { readonly seeds: number; readonly rooms: readonly Score[] };
}

export interface Finding {
  readonly name: string;
  /** Undefined: no seed has found it. */
  readonly seed?: number | undefined;
}

/** Mutants of one room of the product. */
export interface Score {
  readonly room: string;
  readonly planted: number;
  readonly found: number;
}

const file = join(root, 'test', 'simulation', 'results.json');

export function readResults(): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

export function saveResults(changed: Partial<Results>): void {
  writeFileSync(file, `${JSON.stringify({ ...readResults(), ...changed }, undefined, 2)}\n`);
}
