import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/root.mjs';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import { CPU_ALONE, type Sample } from '../measure/sample.js';
import type { Bench, Part, PartResult } from './bench.js';

const REFERENCE = 'express-rate-limit';
const PACKAGES = [
  { name: '@sluice/express', kind: 'sluice' },
  { name: '@sluice/fastify', kind: 'sluice' },
  { name: '@sluice/hono', kind: 'sluice' },
  { name: '@fastify/rate-limit', kind: 'peer' },
  { name: 'hono-rate-limiter', kind: 'peer' },
  { name: 'rate-limiter-flexible', kind: 'peer' },
] as const;
/** Turns of a package, for each round of the mode: a process says little, and takes little time. */
const TURNS = 2;
/** Seconds of a process. */
const TURN = 0.1;

/** The CPU of a process while it imports a package. */
export const importsPart: Part = {
  plan: ({ rounds }) => sliceCount({ contestants, rounds: TURNS * rounds }) * TURN,
  run,
};

const contestants = PACKAGES.map(({ name }) => name);
const start = promisify(execFile);

async function run({ mode, progress, seed, cores }: Bench): Promise<PartResult> {
  const title = 'Imports: the CPU of a process that imports a package';
  const rounds = TURNS * mode.rounds;
  progress.begin(title, sliceCount({ contestants, rounds }));
  const samples = await interleave({
    contestants,
    reference: REFERENCE,
    rounds,
    seed,
    measure: (name) => importOf(name, cores?.contestants),
    onSlice: () => progress.step(),
  });
  return { tables: [{ part: 'imports', title, reference: REFERENCE, rows: rowsOf(PACKAGES, samples) }] };
}

async function importOf(name: string, cores: readonly number[] | undefined): Promise<Sample> {
  const code = `const before = process.cpuUsage(); await import('${name}'); console.log(JSON.stringify(process.cpuUsage(before)));`;
  const command = [...(cores ? ['taskset', '-c', cores.join()] : []), process.execPath];
  const [program, ...args] = [...command, '--input-type=module', '--eval', code];
  const { stdout } = await start(program, args, { cwd: join(root, 'bench') });
  const { user, system } = JSON.parse(stdout) as NodeJS.CpuUsage;
  return { ...CPU_ALONE, rate: 1e6 / (user + system), cpu: user + system };
}
