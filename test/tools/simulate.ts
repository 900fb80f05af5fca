import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { mutants } from '../mutants/mutants.mjs';
import { planted } from '../simulation/planted.mjs';
import { simulate, type Simulated } from '../simulation/simulate.js';

type Planted = (typeof planted)[number];

// npm run simulate -- [--seeds 10000] [--first 1] [--workers 2] [--bail] | --seed 42 [--trace] | --planted | --mutants [--seeds 500] [--only part]
// Runs fleets on a simulated Redis and network: docs/proof.md. A seed that breaks a law is printed, and --trace tells it.
// --planted puts defects back that Sluice once had, --mutants those of test/mutants, and says which seed finds each.

interface Task {
  readonly first: number;
  readonly stride: number;
  readonly end: number;
}

/** Of a run with a planted defect. */
const TIMEOUT_MS = 1_200_000;
/** Seeds that a worker reports together. */
const CHUNK = 50;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10000' },
      first: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      bail: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  if (values.seed !== undefined) {
    show(await simulate(Number(values.seed), { isTraced: values.trace }));
    return;
  }
  const chosen = values.planted ? planted : values.mutants ? mutantsOfStores() : [];
  if (chosen.length > 0) {
    const only = chosen.filter(({ name }) => name.includes(values.only));
    const found = only.filter((each) => find(each, values.seeds)).length;
    console.log(`${found} of ${only.length} found within ${values.seeds} seeds`);
    if (values.planted && found < only.length) process.exitCode = 1;
    return;
  }
  const [first, count, workers] = [Number(values.first), Number(values.seeds), Number(values.workers)];
  const begun = performance.now();
  const end = first + count;
  let requests = 0;
  let failures = 0;
  const seen = new Map<string, number>();
  const run = (offset: number) =>
    new Promise<void>((resolve, reject) => {
      const task: Task = { first: first + offset, stride: workers, end };
      const worker = new Worker(new URL(import.meta.url), { workerData: task });
      worker.on('message', (results: readonly Simulated[]) => {
        for (const result of results) {
          requests += result.requests;
          for (const fault of result.faults) seen.set(fault, (seen.get(fault) ?? 0) + 1);
          if (result.problems.length === 0) continue;
          failures += 1;
          if (failures <= 20) show(result);
          process.exitCode = 1;
          if (values.bail) process.exit();
        }
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  await Promise.all(Array.from({ length: workers }, (_, offset) => run(offset)));
  const seconds = (performance.now() - begun) / 1e3;
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1e6;
  const rate = (count / cpu).toFixed(0);
  console.log(`${count} seeds, ${requests} requests, ${failures} break a law`);
  console.log(`${seconds.toFixed(1)} s; ${cpu.toFixed(1)} s of CPU, ${rate} seeds a second of it`);
}

/** The mutants of what the simulation runs. */
function mutantsOfStores(): readonly Planted[] {
  const rooms = /packages\/core\/src\/(stores\/(?!memory|inspections)|waiting\/)/;
  return mutants
    .filter(({ file }) => rooms.test(file))
    .map(({ name, file, text, replacement }) => ({ name, edits: [{ file, text, replacement }] }));
}

/** Says which seed finds a defect. True if one does. */
function find({ name, edits }: Planted, seeds: string): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), '--seeds', seeds, '--bail'],
    { encoding: 'utf8', timeout: TIMEOUT_MS, env: { ...process.env, SLUICE_PLANTED: JSON.stringify(edits) } },
  );
  // A run that does not end is a broken promise too.
  const isFound = status === null || (status === 1 && stdout.startsWith('seed')) || stderr.includes('Error');
  const [found = '', problem = ''] = stdout.split('\n');
  console.log(isFound ? `found   ${name}\n        ${found}\n    ${problem}` : `missed  ${name}`);
  return isFound;
}

function show({ seed, kind, faults, problems, story }: Simulated): void {
  for (const { at, actor, what } of story ?? [])
    console.log(`${at.toFixed(2).padStart(10)}  ${actor.padEnd(6)} ${what}`);
  console.log(
    `seed ${seed}, ${kind}, ${faults.join(' and ') || 'no fault'}: ${problems.length === 0 ? 'all laws hold' : ''}`,
  );
  for (const problem of problems.slice(0, 5)) console.log(`    ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

async function work({ first, stride, end }: Task): Promise<void> {
  let results: Simulated[] = [];
  for (let seed = first; seed < end; seed += stride) {
    results.push(await simulate(seed));
    if (results.length < CHUNK) continue;
    parentPort!.postMessage(results);
    results = [];
  }
  parentPort!.postMessage(results);
}

if (isMainThread) await main();
else await work(workerData as Task);
