import { titles, type Framework, type HttpContestant } from '../http/http-contestant.js';
import { bareOf, httpEntrants } from '../http/index.js';
import type { HttpVerbs } from '../http/server-process.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { PairedSample, Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Child } from '../processes/child.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { listen, startProcess, troubleOf } from './http.js';
import { START, sum } from './plan.js';

const FRAMEWORKS = ['fastify', 'express', 'hono'] as const;

/** Turns of a server, for each round of whole servers: they are short. */
const TURNS = 3;
/** Requests without sockets warm a server up five times as fast. */
const WARM_UP = 1 / 5;

/** What a limit in memory adds to the CPU of a request. Without sockets, whose CPU depends on how the system wakes both ends. */
export const unsentPart: Part = {
  plan: (mode) => sum(FRAMEWORKS.map((framework) => secondsOf(mode, framework))),
  run,
};

function secondsOf(mode: Mode, framework: Framework): number {
  const { rounds, warmUp } = mode.http;
  const { length: servers } = entrantsOf(mode, framework);
  const turns = TURNS * rounds * (2 * servers - 1);
  return passesOf(mode, framework) * (servers * (START + (WARM_UP * warmUp) / 1e3) + (turns * mode.slice) / 1e3);
}

/** Hono has one pass: the whole benchmark has no time for more. */
function passesOf({ http }: Mode, framework: Framework): number {
  return framework === 'hono' ? 1 : http.passes;
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
  const { mode, progress } = bench;
  const { rounds } = mode.http;
  const passes = passesOf(mode, framework);
  const reference = bareOf[framework];
  const title = `Without sockets: ${titles[framework]}, memory, 1 000 addresses`;
  const entered = entrantsOf(mode, framework);
  const limited = entered.filter(({ name }) => name !== reference);
  const names = limited.map(({ name }) => name);
  progress.begin(title, passes * (entered.length + sliceCount({ contestants: names, rounds: TURNS * rounds })));
  const samples = new Map<string, PairedSample[]>(names.map((name) => [name, []]));
  for (let pass = 0; pass < passes; pass += 1) {
    const found = await passOf(bench, { entered, reference, names, seed: bench.seed + pass });
    for (const [name, each] of found) samples.get(name)!.push(...each);
  }
  const rows = rowsOf(limited, samples);
  return { part: 'unsent', title, reference, rows };
}

interface Pass {
  readonly entered: readonly HttpContestant[];
  readonly reference: string;
  /** All others. */
  readonly names: readonly string[];
  readonly seed: number;
}

/** Starts all servers, and measures them side by side. */
async function passOf(bench: Bench, { entered, reference, names, seed }: Pass) {
  const { mode, progress, cores } = bench;
  const servers = new Map(
    entered.map((contestant) => [contestant.name, { contestant, child: startProcess(cores?.contestants) }]),
  );
  try {
    for (const server of servers.values()) {
      await listen(bench, { ...server, database: 0, identity: 'address' });
      await server.child.call.answerUnsent(WARM_UP * mode.http.warmUp);
      progress.step();
    }
    return await interleave({
      contestants: names,
      reference,
      rounds: TURNS * mode.http.rounds,
      seed,
      measure: (name) => measure(mode, servers.get(name)!),
      onSlice: () => progress.step(),
    });
  } finally {
    await Promise.all([...servers.values()].map(({ child }) => child.end()));
  }
}

interface Server {
  readonly contestant: HttpContestant;
  readonly child: Child<HttpVerbs>;
}

async function measure({ slice }: Mode, { contestant, child }: Server): Promise<Sample> {
  await child.call.collect();
  const before = await child.call.usage();
  const { answered, refused } = await child.call.answerUnsent(slice);
  const after = await child.call.usage();
  const cpu = after.cpu - before.cpu;
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
    // Of its CPU time: others may have had the core for a part of the turn.
    rate: (answered * 1e6) / cpu,
    cpu: cpu / answered,
    userCpu: (after.userCpu - before.userCpu) / answered,
    trouble: troubleOf(contestant, { answered, refused, skipped: 0 }),
  };
}
