import { askAsEach } from '../http/ask-as-each.js';
import { autocannon } from '../http/autocannon.js';
import { titles, type Framework, type HttpContestant, type HttpSetting } from '../http/http-contestant.js';
import { bareOf, serverEntrants } from '../http/index.js';
import type { LoadGenerator } from '../http/load.js';
import type { HttpVerbs } from '../http/server-process.js';
import { wrk } from '../http/wrk.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { PairedSample, Sample } from '../measure/sample.js';
import { startChild, type Child } from '../processes/child.js';
import type { Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { START, sum } from './plan.js';

const DAY = 86_400_000;
const UNREACHED = 100_000_000;

interface Server {
  readonly contestant: HttpContestant;
  readonly child: Child<HttpVerbs>;
  readonly url: string;
}

/** Whole servers, each against the same framework without a limit. */
export const httpPart: Part = {
  plan: (mode) => sum(FRAMEWORKS.map((framework) => secondsOf(mode, entrantsOf(mode, framework).length))),
  run,
};

/** Hono is measured without sockets alone. */
const FRAMEWORKS = ['express', 'fastify'] as const;

/** Milliseconds that a load takes to begin and to end. */
const BETWEEN = 150;
/** Attempts to use up all limits. A limit that is left shows in the results. */
const USE_UP_TIMES = 10;

function secondsOf(mode: Mode, servers: number): number {
  const { passes, rounds, slice, leadIn } = mode.http;
  const turns = rounds * (2 * servers - 1);
  const perTurn = slice + BETWEEN + (leadIn > 0 ? leadIn + BETWEEN : 0);
  return passes * ((turns * perTurn) / 1e3 + servers * (START + mode.http.warmUp / 1e3));
}

/** Peers in memory are compared without sockets: turns with sockets spread by more than what a limit in memory adds. */
function entrantsOf({ field }: Mode, framework: Framework): readonly HttpContestant[] {
  return serverEntrants(framework, field).filter(({ kind, store }) => kind !== 'peer' || store === 'redis');
}

async function run(bench: Bench): Promise<PartResult> {
  const load = bench.cores?.load;
  const generator = wrk(load) ?? autocannon(load);
  try {
    const tables: Table[] = [];
    for (const framework of FRAMEWORKS) tables.push(await raceOf(bench, generator, framework));
    return { tables, generator: generator.name };
  } finally {
    await generator.end();
  }
}

async function raceOf(bench: Bench, generator: LoadGenerator, framework: Framework): Promise<Table> {
  const { mode, progress } = bench;
  const { passes, rounds } = mode.http;
  const reference = bareOf[framework];
  const title = `HTTP: ${titles[framework]}, 1 000 clients on 64 connections`;
  const entered = entrantsOf(mode, framework);
  const limited = entered.filter(({ name }) => name !== reference);
  const names = limited.map(({ name }) => name);
  progress.begin(title, passes * (entered.length + sliceCount({ contestants: names, rounds })));
  const samples = new Map<string, PairedSample[]>(names.map((name) => [name, []]));
  for (let pass = 0; pass < passes; pass += 1) {
    const found = await passOf(bench, { generator, entered, reference, names, seed: bench.seed + pass });
    for (const [name, each] of found) samples.get(name)!.push(...each);
  }
  const rows = rowsOf(limited, samples);
  return { part: 'http', title, reference, rows };
}

interface Pass {
  readonly generator: LoadGenerator;
  readonly entered: readonly HttpContestant[];
  readonly reference: string;
  /** All others. */
  readonly names: readonly string[];
  readonly seed: number;
}

/** Starts all servers, and measures them side by side. */
async function passOf(bench: Bench, pass: Pass): Promise<Map<string, readonly PairedSample[]>> {
  const { generator, entered, reference, names, seed } = pass;
  const { mode, progress, meter, cores } = bench;
  await meter.flush();
  const servers = new Map<string, Server>();
  const children = Array.from({ length: mode.together ? 1 : entered.length }, () => startProcess(cores?.contestants));
  try {
    for (const [database, contestant] of entered.entries()) {
      const server = await listen(bench, { contestant, database, child: children[database] ?? children[0]! });
      servers.set(contestant.name, server);
      await warmUp(bench, generator, server);
      progress.step();
    }
    return await interleave({
      contestants: names,
      reference,
      rounds: mode.http.rounds,
      seed,
      measure: (name) => measure(bench, generator, servers.get(name)!),
      onSlice: () => progress.step(),
    });
  } finally {
    await Promise.all(children.map((child) => child.end()));
  }
}

export function startProcess(cores: readonly number[] | undefined): Child<HttpVerbs> {
  return startChild(new URL('../http/server-process.ts', import.meta.url), { env: { NODE_ENV: 'production' }, cores });
}

interface HttpEntry extends Omit<Server, 'url'> {
  readonly database: number;
  /** @default 'header' */
  readonly identity?: HttpSetting['identity'];
}

/** Starts a server with a Redis database of its own, so that servers share no keys. */
export async function listen({ port }: Bench, entry: HttpEntry): Promise<Server> {
  const { contestant, child, database, identity = 'header' } = entry;
  const { name, framework, denied } = contestant;
  const limit = denied ? 1 : UNREACHED;
  const at = await child.call.listen({ contestant: name, framework, limit, window: DAY, port, database, identity });
  return { contestant, child, url: `http://127.0.0.1:${at}/` };
}

/** Uses up all limits where every request must be denied, and runs the server until V8 has optimised it. */
async function warmUp({ mode }: Bench, generator: LoadGenerator, server: Server): Promise<void> {
  const { contestant, url } = server;
  if (contestant.denied) await useUp(server);
  // In turns, because all clients disconnect at the end of each, and that code must be warm too.
  const end = performance.now() + mode.http.warmUp;
  while (performance.now() < end) await generator.run(url, mode.http.slice);
}

/** Sends requests until the store denies all. A server that has just started may answer some without its store. */
async function useUp({ child, url }: Server): Promise<void> {
  for (let time = 0; time < USE_UP_TIMES; time += 1) {
    const before = await child.call.usage();
    const allowed = await askAsEach(url);
    const after = await child.call.usage();
    if (allowed === 0 && after.skipped === before.skipped) return;
  }
}

async function measure({ mode, meter }: Bench, generator: LoadGenerator, server: Server): Promise<Sample> {
  const { child, contestant, url } = server;
  if (mode.http.leadIn > 0) await generator.run(url, mode.http.leadIn);
  await child.call.collect();
  const before = await child.call.usage();
  const { value: load, used } = await meter.around(() => generator.run(url, mode.http.slice));
  const after = await child.call.usage();
  const { answered, refused, seconds, p50, p99 } = load;
  return {
    rate: answered / seconds,
    p50,
    p99,
    cpu: (after.cpu - before.cpu) / answered,
    userCpu: (after.userCpu - before.userCpu) / answered,
    redisCpu: used.cpu / answered,
    scriptTime: used.scripts / answered,
    bytesIn: used.bytesIn / answered,
    bytesOut: used.bytesOut / answered,
    commands: NaN,
    fromProcess: NaN,
    trouble: troubleOf(contestant, { answered, refused, skipped: after.skipped - before.skipped }),
  };
}

interface Answers {
  readonly answered: number;
  readonly refused: number;
  readonly skipped: number;
}

export function troubleOf({ denied }: HttpContestant, { answered, refused, skipped }: Answers): string | undefined {
  if (skipped > 0) return `${skipped} of ${answered} requests were answered without the store`;
  if (answered === 0) return 'no request was answered';
  const wanted = denied ? answered : 0;
  return refused === wanted ? undefined : `${refused} of ${answered} requests refused, and ${wanted} should`;
}
