import { join } from 'node:path';
import { spawn } from '../support/child.js';
import { root } from '../../scripts/root.mjs';
import { simulate, type Simulated } from './simulate.js';
import type { Defect } from './targets.js';

/** What a search has found. */
export interface Found {
  readonly seed: number;
  readonly problem: string;
}

/** A run that does not end says nothing: the machine may be busy. A seed takes some 10 ms of CPU. */
const timeoutOf = (seeds: number): number => 150_000 + seeds * 1_500;

/** Seeds to search. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * Looks for a seed that breaks a law with a defect, and none without it.
 *
 * @returns undefined if no seed does; `late` if a run had no end
 */
export async function search({ edits, kinds = [] }: Defect, range: Range): Promise<Found | undefined | 'late'> {
  const { last } = range;
  for (let { first } = range; first <= last;) {
    const found = await firstBroken(edits, kinds, { first, seeds: last - first + 1 });
    if (found === undefined || found === 'late') return found;
    // A seed that fails without the defect says nothing about it.
    const { problems } = await alone(found.seed, kinds);
    if (problems.length === 0) return found;
    console.log(`seed ${found.seed} breaks a law without a defect: ${problems[0]}`);
    first = found.seed + 1;
  }
  return undefined;
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs a seed without defects. A process simulates one fleet at a time. */
function alone(seed: number, only: readonly string[]): Promise<Simulated> {
  const run = turn.then(() => simulate(seed, { only }));
  turn = run;
  return run;
}

/** Runs seeds in a process whose sources have the edits, until one breaks a law. */
function firstBroken(
  edits: Defect['edits'],
  kinds: readonly string[],
  { first, seeds }: { readonly first: number; readonly seeds: number },
): Promise<Found | undefined | 'late'> {
  const command = join(root, 'test', 'tools', 'simulate.ts');
  const range = ['--first', String(first), '--seeds', String(seeds), '--kinds', kinds.join()];
  const args = [...range, '--workers', '1', '--bail'];
  const env = { ...process.env, SLUICE_PLANTED: JSON.stringify(edits) };
  const child = spawn(process.execPath, [...process.execArgv, command, ...args], { env, timeout: timeoutOf(seeds) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(undefined);
      else if (status === null) {
        console.log(`a run had no end within ${timeoutOf(seeds) / 1e3} s`);
        resolve('late');
      } else {
        const [, seed, problem] = /^seed (\d+).*\n +(.*)$/m.exec(stdout) ?? [];
        if (seed === undefined) reject(new Error(stderr));
        else resolve({ seed: Number(seed), problem: problem! });
      }
    });
  });
}
