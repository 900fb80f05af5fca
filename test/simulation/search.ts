import { join } from 'node:path';
import { spawn } from '../support/child.js';
import { root } from '../../scripts/root.mjs';
import { mutants } from '../mutants/mutants.mjs';
import type { Edit } from '../tools/plant.mjs';
import { simulate, type Simulated } from './simulate.js';

/** A fault of the product, as edits of its sources. */
export interface Defect {
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** What a search has found. */
export interface Found {
  readonly seed: number;
  readonly problem: string;
}

/** A run that does not end has found nothing: the machine may be busy. */
const TIMEOUT_MS = 1_200_000;

/** Rooms of the product whose mutants the simulation runs, by their folders. The first that fits has a file. */
const ROOMS: readonly (readonly [name: string, folder: RegExp])[] = [
  ['permits', /\/stores\/with-permits\//],
  ['leases', /\/stores\/with-lease\//],
  ['connection', /\/stores\/redis\/(connection|client)\//],
  ['batches, scripts and Cluster', /\/stores\/redis\//],
  ['outbox, deny cache and fallback', /\/stores\/(?!memory|inspections)[^/]+\.ts/],
  ['lines', /\/waiting\//],
];

function roomOf(file: string): string | undefined {
  return ROOMS.find(([, folder]) => folder.test(file))?.[0];
}

/** The mutants of what the simulation runs, by their room. */
export function mutantsByRoom(): ReadonlyMap<string, readonly Defect[]> {
  const inRoom = (room: string) =>
    mutants
      .filter(({ file }) => roomOf(file) === room)
      .map(({ name, file, text, replacement }) => ({ name, edits: [{ file, text, replacement }] }));
  return new Map(ROOMS.map(([room]) => [room, inRoom(room)]));
}

/** Looks for a seed that breaks a law with a defect, and none without it. */
export async function search({ edits }: Defect, seeds: number): Promise<Found | undefined> {
  for (let first = 1; first <= seeds;) {
    const found = await firstBroken(edits, first, seeds - first + 1);
    if (found === undefined) return undefined;
    // A seed that fails without the defect says nothing about it.
    const { problems } = await alone(found.seed);
    if (problems.length === 0) return found;
    console.log(`seed ${found.seed} breaks a law without a defect: ${problems[0]}`);
    first = found.seed + 1;
  }
  return undefined;
}

let turn: Promise<unknown> = Promise.resolve();

/** Runs a seed without defects. A process simulates one fleet at a time. */
function alone(seed: number): Promise<Simulated> {
  const run = turn.then(() => simulate(seed));
  turn = run;
  return run;
}

/** Runs seeds in a process whose sources have the edits, until one breaks a law. */
function firstBroken(edits: readonly Edit[], first: number, seeds: number): Promise<Found | undefined> {
  const command = join(root, 'test', 'tools', 'simulate.ts');
  const args = ['--first', String(first), '--seeds', String(seeds), '--workers', '1', '--bail'];
  const env = { ...process.env, SLUICE_PLANTED: JSON.stringify(edits) };
  const child = spawn(process.execPath, [...process.execArgv, command, ...args], { env, timeout: TIMEOUT_MS });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(undefined);
      else if (status === null) {
        console.log(`a run had no end within ${TIMEOUT_MS / 1e3} s`);
        resolve(undefined);
      } else {
        const [, seed, problem] = /^seed (\d+).*\n +(.*)$/m.exec(stdout) ?? [];
        if (seed === undefined) reject(new Error(stderr));
        else resolve({ seed: Number(seed), problem: problem! });
      }
    });
  });
}
