import type { HttpContestant } from '../http/http-contestant.js';
import { bareOf, httpEntrants } from '../http/index.js';
import type { HttpVerbs } from '../http/server-process.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Child } from '../processes/child.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { listen, startProcess, troubleOf } from './http.js';
import { START, sum } from './plan.js';

const FRAMEWORKS = ['fastify', 'express'] as const;

type Framework = (typeof FRAMEWORKS)[number];

/** Turns of a server, for each round of the mode: they are short. */
const TURNS = 2;
/** Requests without sockets warm a server up five times as fast. */
const WARM_UP = 1 / 5;

/** What a limit in memory adds to the CPU of a request. Without sockets, whose CPU depends on how the system wakes both ends. */
export const unsentPart: Part = {
  plan: (mode) => sum(FRAMEWORKS.map((framework) => secondsOf(mode, entrantsOf(mode, framework).length))),
  run,
};

function secondsOf(mode: Mode, servers: number): number {
  return (
    servers * (START + (WARM_UP * mode.http.warmUp) / 1e3) +
    (TURNS * mode.rounds * (2 * servers - 1) * mode.slice) / 1e3
  );
}

function entrantsOf({ field }: Mode, framework: Framework): readonly HttpContestant[] {
  return httpEntrants(framework, field).filter(({ store }) => store !== 'redis');
}

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const framework of FRAMEWORKS) tables.push(await raceOf(bench, framework));
  return { tables };
}

async function raceOf(bench: Bench, framework: Framework): Promise<Table> {
  const { mode, progress, cores, seed } = bench;
  const reference = bareOf[framework];
  const title = `Without sockets: ${framework === 'express' ? 'Express' : 'Fastify'}, memory, 1 000 addresses`;
  const entered = entrantsOf(mode, framework);
  const limited = entered.filter(({ name }) => name !== reference);
  const contestants = limited.map(({ name }) => name);
  const rounds = TURNS * mode.rounds;
  progress.begin(title, entered.length + sliceCount({ contestants, rounds }));
  const children = new Map(entered.map(({ name }) => [name, startProcess(cores?.contestants)]));
  try {
    for (const contestant of entered) {
      const child = children.get(contestant.name)!;
      await listen(bench, { contestant, database: 0, child, identity: 'address' });
      await child.call.answerUnsent(WARM_UP * mode.http.warmUp);
      progress.step();
    }
    const samples = await interleave({
      contestants,
      reference,
      rounds,
      seed,
      measure: (name) =>
        measure(
          mode,
          entered.find((each) => each.name === name)!,
          children.get(name)!,
        ),
      onSlice: () => progress.step(),
    });
    const rows = rowsOf(limited.map(({ name, kind }) => ({ contestant: name, kind, samples: samples.get(name)! })));
    return { part: 'unsent', title, reference, rows };
  } finally {
    await Promise.all([...children.values()].map((child) => child.end()));
  }
}

async function measure(mode: Mode, contestant: HttpContestant, child: Child<HttpVerbs>): Promise<Sample> {
  await child.call.collect();
  const before = await child.call.usage();
  const { answered, refused } = await child.call.answerUnsent(mode.slice);
  const after = await child.call.usage();
  const cpu = after.cpu - before.cpu;
  const none = { p50: NaN, p99: NaN, redisCpu: NaN, bytesIn: NaN, bytesOut: NaN, commands: NaN, fromProcess: NaN };
  return {
    ...none,
    // Of its CPU time: others may have had the core for a part of the turn.
    rate: (answered * 1e6) / cpu,
    cpu: cpu / answered,
    userCpu: (after.userCpu - before.userCpu) / answered,
    trouble: troubleOf(contestant, { answered, refused, skipped: 0 }),
  };
}
