import { autocannon } from '../http/autocannon.js';
import { titles, type HttpContestant } from '../http/http-contestant.js';
import { bareOf, serverEntrants } from '../http/index.js';
import type { LoadGenerator } from '../http/load.js';
import { wrk } from '../http/wrk.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import { CPU_ALONE, type Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { listen, startProcess, troubleOf } from './http.js';
import { sum } from './plan.js';
import { unsentTurn, type UnsentServer } from './unsent-turn.js';

/** The servers of a table: one framework, one store. Requests that are counted in memory come without sockets. */
const FIELDS = [
  { framework: 'fastify', store: 'memory' },
  { framework: 'express', store: 'memory' },
  { framework: 'fastify', store: 'redis' },
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

function entrantsOf({ field }: Mode, { framework, store }: ColdField): readonly HttpContestant[] {
  return serverEntrants(framework, field).filter((each) => each.store === store && !each.denied);
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
    measure: (name) => measure(bench, generator, field, name),
    onSlice: () => progress.step(),
  });
  const rows = rowsOf(entered, samples);
  return { part: 'cold', title, reference, rows };
}

async function measure(bench: Bench, generator: LoadGenerator, field: ColdField, name: string): Promise<Sample> {
  const { mode, meter, cores } = bench;
  const { framework, store } = field;
  await meter.flush();
  const child = startProcess(cores?.contestants);
  try {
    const contestant = serverEntrants(framework, 'all').find((each) => each.name === name)!;
    const identity = store === 'memory' ? 'address' : 'header';
    const { url } = await listen(bench, { contestant, database: 0, child, identity });
    const startTime = await child.call.startTime();
    const server = { contestant, child };
    const sample = await (store === 'memory' ? unsent(mode, server) : sent(mode, server, { generator, url }));
    return { ...sample, startTime };
  } finally {
    await child.end();
  }
}

async function unsent({ cold }: Mode, server: UnsentServer): Promise<Sample> {
  await server.child.call.openUnsent();
  return unsentTurn(server, () => server.child.call.answerUnsent(cold.requests));
}

interface Sending {
  readonly generator: LoadGenerator;
  readonly url: string;
}

async function sent({ cold }: Mode, { contestant, child }: UnsentServer, to: Sending): Promise<Sample> {
  const before = await child.call.usage();
  const { answered, refused, seconds } = await to.generator.send(to.url, cold.requests);
  const after = await child.call.usage();
  return {
    ...CPU_ALONE,
    rate: answered / seconds,
    cpu: (after.cpu - before.cpu) / answered,
    userCpu: (after.userCpu - before.userCpu) / answered,
    trouble: troubleOf(contestant, { answered, refused, skipped: after.skipped - before.skipped }),
  };
}
