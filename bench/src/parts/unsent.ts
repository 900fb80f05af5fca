import { clients, titles, type Framework, type HttpContestant } from '../http/http-contestant.js';
import { bareOf, httpEntrants } from '../http/index.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { PairedSample, Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { listen, startProcess } from './http.js';
import { START, sum } from './plan.js';
import { unsentTurn, type UnsentServer } from './unsent-turn.js';

/** The servers of a table: one framework, whose limits admit all requests or deny them. */
interface UnsentField {
  readonly framework: Framework;
  readonly denied: boolean;
}

const FIELDS: readonly UnsentField[] = [
  { framework: 'fastify', denied: false },
  { framework: 'fastify', denied: true },
  { framework: 'express', denied: false },
  { framework: 'express', denied: true },
  { framework: 'hono', denied: false },
];

/** Turns of a server, for each round of whole servers: they are short. */
const TURNS = 3;
/** Requests without sockets warm a server up five times as fast. */
const WARM_UP = 1 / 5;

/** What a limit in memory adds to the CPU of a request. Without sockets, whose CPU depends on how the system wakes both ends. */
export const unsentPart: Part = {
  plan: (mode) => sum(FIELDS.map((field) => secondsOf(mode, field))),
  run,
};

function secondsOf(mode: Mode, field: UnsentField): number {
  const { rounds, warmUp } = mode.http;
  const { length: servers } = entrantsOf(mode, field);
  const turns = TURNS * rounds * (2 * servers - 1);
  return passesOf(mode, field) * (servers * (START + (WARM_UP * warmUp) / 1e3) + (turns * mode.slice) / 1e3);
}

/** Hono has one pass: the whole benchmark has no time for more. */
function passesOf({ http }: Mode, { framework }: UnsentField): number {
  return framework === 'hono' ? 1 : http.passes;
}

function entrantsOf({ field }: Mode, { framework, denied }: UnsentField): readonly HttpContestant[] {
  return httpEntrants(framework, field).filter(
    (each) => each.store === 'none' || (each.store === 'memory' && each.denied === denied),
  );
}

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const field of FIELDS) tables.push(await raceOf(bench, field));
  return { tables };
}

async function raceOf(bench: Bench, field: UnsentField): Promise<Table> {
  const { mode, progress } = bench;
  const { rounds } = mode.http;
  const { framework, denied } = field;
  const passes = passesOf(mode, field);
  const reference = bareOf[framework];
  const title = `Without sockets: ${titles[framework]}, memory, 1 000 addresses${denied ? ', all denied' : ''}`;
  const entered = entrantsOf(mode, field);
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
      await server.child.call.openUnsent();
      // Uses up limits of one request.
      await server.child.call.answerUnsent(clients.length);
      await server.child.call.answerUnsentFor(WARM_UP * mode.http.warmUp);
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

async function measure({ slice }: Mode, server: UnsentServer): Promise<Sample> {
  await server.child.call.collect();
  return unsentTurn(server, () => server.child.call.answerUnsentFor(slice));
}
