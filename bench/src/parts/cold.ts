import { autocannon } from '../http/autocannon.js';
import { titles } from '../http/http-contestant.js';
import { bareOf, httpEntrants } from '../http/index.js';
import type { LoadGenerator } from '../http/load.js';
import { wrk } from '../http/wrk.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { listen, startProcess, troubleOf } from './http.js';
import { sum } from './plan.js';

/** The servers of a table: one framework, one store. */
const FIELDS = [
  { framework: 'fastify', store: 'memory' },
  { framework: 'fastify', store: 'redis' },
  { framework: 'express', store: 'memory' },
] as const;

type ColdField = (typeof FIELDS)[number];

/** Seconds of a turn: a process starts, and serves its first requests. */
const TURN = 1.2;

/** The first requests of processes that have just started. A turn is a process. */
export const coldPart: Part = {
  plan: (mode) => sum(FIELDS.map((field) => turnsOf(mode, entrantsOf(mode, field).length))) * TURN,
  run,
};

function turnsOf({ cold: { rounds } }: Mode, contestants: number): number {
  return sliceCount({ contestants: Array.from({ length: contestants }, String), rounds });
}

function entrantsOf({ field }: Mode, { framework, store }: ColdField) {
  return httpEntrants(framework, field).filter((each) => each.store === store && !each.denied);
}

async function run(bench: Bench): Promise<PartResult> {
  const generator = wrk(bench.cores?.load) ?? autocannon(bench.cores?.load);
  try {
    const tables: Table[] = [];
    for (const field of FIELDS) tables.push(await raceOf(bench, generator, field));
    return { tables, generator: generator.name };
  } finally {
    await generator.end();
  }
}

async function raceOf(bench: Bench, generator: LoadGenerator, field: ColdField): Promise<Table> {
  const { mode, progress, seed } = bench;
  const { rounds, requests } = mode.cold;
  const { framework, store } = field;
  const reference = bareOf[framework];
  const on = `${titles[framework]}, ${store === 'redis' ? 'Redis' : 'memory'}`;
  const title = `Cold: ${on}, the first ${requests.toLocaleString('en').replaceAll(',', ' ')} requests of a process`;
  const entered = entrantsOf(mode, field);
  const names = entered.map(({ name }) => name);
  progress.begin(title, turnsOf(mode, names.length));
  const samples = await interleave({
    contestants: names,
    reference,
    rounds,
    seed,
    measure: (name) => measure(bench, generator, { framework, name }),
    onSlice: () => progress.step(),
  });
  const rows = rowsOf(entered, samples);
  return { part: 'cold', title, reference, rows };
}

interface ColdServer {
  readonly framework: ColdField['framework'];
  readonly name: string;
}

async function measure(bench: Bench, generator: LoadGenerator, { framework, name }: ColdServer): Promise<Sample> {
  const { mode, meter, cores } = bench;
  await meter.flush();
  const child = startProcess(cores?.contestants);
  try {
    const contestant = httpEntrants(framework, 'all').find((each) => each.name === name)!;
    const { url } = await listen(bench, { contestant, database: 0, child });
    const startTime = await child.call.startTime();
    const before = await child.call.usage();
    const { answered, refused, seconds } = await generator.send(url, mode.cold.requests);
    const after = await child.call.usage();
    const none = {
      p50: NaN,
      p99: NaN,
      redisCpu: NaN,
      scriptTime: NaN,
      bytesIn: NaN,
      bytesOut: NaN,
      commands: NaN,
      fromProcess: NaN,
    };
    return {
      ...none,
      rate: answered / seconds,
      cpu: (after.cpu - before.cpu) / answered,
      userCpu: (after.userCpu - before.userCpu) / answered,
      startTime,
      trouble: troubleOf(contestant, { answered, refused, skipped: after.skipped - before.skipped }),
    };
  } finally {
    await child.end();
  }
}
