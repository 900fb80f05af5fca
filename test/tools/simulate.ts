import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { planted } from '../simulation/planted.mjs';
import { readResults, saveFinding, saveResults } from '../simulation/results.js';
import type { SimulateOptions, Simulated } from '../simulation/simulate.js';
import type { Defect } from '../simulation/targets.js';

// npm run tool -- simulate [--seeds 10000] [--first 1] [--kinds quotas,permits] [--workers 2] [--bail] [--save]
//   | --seed 42 [--kinds quotas] [--trace] | --planted [--save] | --mutants --seeds 500 [--only part] [--missed] [--save]
// Runs fleets on a simulated Redis and network: docs/proof.md. A seed that breaks a law is printed, and --trace tells it.
// --planted puts defects back that Sluice once had, --mutants those of test/mutants, and says which seed finds each.
// --missed leaves out what saved searches have found, and goes on behind the seeds that have missed a defect. --kinds runs fleets of these kinds alone.
// --save keeps the result for docs/proof.md, which `npm run reference` writes.

interface Task {
  readonly first: number;
  readonly stride: number;
  readonly end: number;
  /** Kinds; none: all. */
  readonly only: readonly string[];
}

interface Options {
  readonly first: number;
  readonly seeds: number;
  readonly workers: number;
  readonly only: readonly string[];
  readonly bail: boolean;
}

/** Seeds of a search that is saved when it has missed a defect so long. */
const STEP = 300;
/** Seeds that a worker reports together. */
const CHUNK = 50;
const MOST_SHOWN = 20;
/** A run makes much that lives for a few milliseconds. */
const YOUNG = { maxYoungGenerationSizeMb: 128 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10000' },
      first: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      seed: { type: 'string' },
      kinds: { type: 'string', default: '' },
      trace: { type: 'boolean', default: false },
      bail: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      missed: { type: 'boolean', default: false },
    },
  });
  const [seeds, workers] = [Number(values.seeds), Number(values.workers)];
  const only = values.kinds.split(',').filter(Boolean);
  if (values.seed !== undefined) await runOne(Number(values.seed), { only, isTraced: values.trace });
  else if (values.planted) await findPlanted(seeds, workers, values);
  else if (values.mutants) await findMutants(seeds, workers, values);
  else await runAll({ only, bail: values.bail, first: Number(values.first), seeds, workers }, values.save);
}

async function runOne(seed: number, options: SimulateOptions): Promise<void> {
  const { simulate } = await import('../simulation/simulate.js');
  show(await simulate(seed, options));
}

async function runAll({ first, seeds, workers, only, bail }: Options, isSaved: boolean): Promise<void> {
  const begun = performance.now();
  let requests = 0;
  let broken = 0;
  const onResult = (result: Simulated) => {
    requests += result.requests;
    if (result.problems.length === 0) return;
    broken += 1;
    if (broken <= MOST_SHOWN) show(result);
    if (bail) process.exit();
  };
  const runPart = (offset: number) =>
    new Promise<void>((resolve, reject) => {
      const task: Task = { first: first + offset, stride: workers, end: first + seeds, only };
      const worker = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits: YOUNG });
      worker.on('message', (results: readonly Simulated[]) => results.forEach(onResult));
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  await Promise.all(Array.from({ length: workers }, (_, offset) => runPart(offset)));
  const seconds = (performance.now() - begun) / 1e3;
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1e6;
  console.log(`${seeds} seeds, ${requests} requests, ${broken} break a law`);
  console.log(`${seconds.toFixed(1)} s; ${cpu.toFixed(1)} s of CPU, ${((cpu / seeds) * 1e3).toFixed(1)} ms a seed`);
  const date = new Date().toISOString().slice(0, 10);
  if (isSaved) saveResults({ run: { date, seeds, requests, broken } });
}

interface Chosen {
  readonly only: string;
  readonly save: boolean;
  readonly missed: boolean;
}

/** Whether a search is to look for a defect, again or for the first time. */
function isWanted({ missed }: Chosen, search: 'planted' | 'mutants', name: string, seeds: number): boolean {
  const known = readResults()[search].find((each) => each.name === name);
  return !missed || known === undefined || (known.seed === undefined && known.seeds < seeds);
}

async function findPlanted(seeds: number, workers: number, options: Chosen): Promise<void> {
  const chosen = planted.filter(({ name }) => name.includes(options.only) && isWanted(options, 'planted', name, seeds));
  const found = await findAll(chosen, { search: 'planted', seeds, workers, options });
  console.log(`${found} of ${chosen.length} found within ${seeds} seeds`);
  if (found < chosen.length) process.exitCode = 1;
}

async function findMutants(seeds: number, workers: number, options: Chosen): Promise<void> {
  const { targetsByRoom } = await import('../simulation/targets.js');
  for (const [room, targets] of targetsByRoom()) {
    const chosen = targets.filter(
      ({ name, edits }) =>
        `${room} ${name} ${edits[0]!.file}`.includes(options.only) && isWanted(options, 'mutants', name, seeds),
    );
    const found = await findAll(chosen, { search: 'mutants', seeds, workers, options });
    if (chosen.length > 0) console.log(`${room}: ${found} of ${chosen.length} found within ${seeds} seeds`);
  }
}

interface Searches {
  readonly search: 'planted' | 'mutants';
  readonly seeds: number;
  readonly workers: number;
  readonly options: Chosen;
}

/** Searches for defects, some at the same time. @returns how many are found */
async function findAll(defects: readonly Defect[], searches: Searches): Promise<number> {
  const left = defects.values();
  let count = 0;
  const searchNext = async () => {
    for (const defect of left) if (await find(defect, searches)) count += 1;
  };
  await Promise.all(Array.from({ length: searches.workers }, searchNext));
  return count;
}

/** Goes on behind the seeds that have missed the defect, if --missed says so. @returns whether one has found it */
async function find(defect: Defect, { search, seeds, options }: Searches): Promise<boolean> {
  const { search: searchSeeds } = await import('../simulation/search.js');
  const { name } = defect;
  const tried = options.missed ? (readResults()[search].find((each) => each.name === name)?.seeds ?? 0) : 0;
  for (let first = tried + 1; first <= seeds; first += STEP) {
    const last = Math.min(seeds, first + STEP - 1);
    const found = await searchSeeds(defect, { first, last });
    if (found === 'late') return false;
    if (options.save) saveFinding(search, { name, seeds: found ? seeds : last, seed: found?.seed });
    if (found === undefined) continue;
    console.log(`found   ${name}\n        seed ${found.seed}: ${found.problem}`);
    return true;
  }
  console.log(`missed  ${name}`);
  return false;
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

async function work({ first, stride, end, only }: Task): Promise<void> {
  const { simulate } = await import('../simulation/simulate.js');
  // Nobody reads where an error was made, and a run makes thousands.
  Error.stackTraceLimit = 0;
  let results: Simulated[] = [];
  for (let seed = first; seed < end; seed += stride) {
    const result = await simulate(seed, { only });
    results.push(result);
    if (results.length < CHUNK && result.problems.length === 0) continue;
    parentPort!.postMessage(results);
    results = [];
  }
  parentPort!.postMessage(results);
}

if (isMainThread) await main();
else await work(workerData as Task);
