import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import type { Outcome } from './outcome.js';

/** What a row last showed: how its specs ended, or the reason why they did not run. */
export interface Result {
  /** The day: `2026-11-24`. */
  readonly date: string;
  readonly seconds: number;
  readonly version?: string;
  readonly outcome?: Outcome;
  readonly gap?: string;
}

/** By name of the row. */
export type Results = Readonly<Record<string, Result>>;

const file = join(root, 'test', 'matrix', 'results.json');

export function readResults(): Results {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}

export function writeResults(results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** Whether all specs of the row ran and passed on that day. */
export function isGreen(result: Result | undefined): boolean {
  return result?.outcome !== undefined && result.outcome.failed === 0 && result.outcome.passed > 0;
}
