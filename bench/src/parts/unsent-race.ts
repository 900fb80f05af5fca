import { clients, type HttpContestant } from '../http/http-contestant.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { PairedSample, Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Bench, PartName, Table } from './bench.js';
import { listen, startProcess } from './http.js';
import { START } from './plan.js';
import { unsentTurn, type UnsentServer } from './unsent-turn.js';

export interface UnsentRace {
  readonly part: PartName;
  readonly title: string;
  readonly contestants: readonly HttpContestant[];
  /** The contestant that the others are compared with. */
  readonly reference: string;
  /** Times that all servers start again. */
  readonly passes: number;
  /** Turns of each server in a pass. */
  readonly rounds: number;
  /** Milliseconds of a turn. */
  readonly slice: number;
}

/** Requests without sockets warm a server up five times as fast. */
const WARM_UP = 1 / 5;

/** Servers that answer requests without sockets, side by side. */
export async function raceUnsent(bench: Bench, race: UnsentRace): Promise<Table> {
  const { part, title, contestants, reference, passes, rounds } = race;
  const limited = contestants.filter(({ name }) => name !== reference);
  const names = limited.map(({ name }) => name);
  bench.progress.begin(title, passes * (contestants.length + sliceCount({ contestants: names, rounds })));
  const samples = new Map<string, PairedSample[]>(names.map((name) => [name, []]));
  for (let pass = 0; pass < passes; pass += 1) {
    const found = await passOf(bench, race, { names, seed: bench.seed + pass });
    for (const [name, each] of found) samples.get(name)!.push(...each);
  }
  const rows = rowsOf(limited, samples);
  return { part, title, reference, rows };
}

/** Seconds of such a race. */
export function unsentSeconds(
  { http }: Mode,
  { contestants, passes, rounds, slice }: Pick<UnsentRace, 'contestants' | 'passes' | 'rounds' | 'slice'>,
): number {
  const { length: servers } = contestants;
  const turns = rounds * (2 * servers - 1);
  return passes * (servers * (START + (WARM_UP * http.warmUp) / 1e3) + (turns * slice) / 1e3);
}

interface Pass {
  /** Of all but the reference. */
  readonly names: readonly string[];
  readonly seed: number;
}

/** Starts all servers, and measures them side by side. */
async function passOf(bench: Bench, { contestants, reference, rounds, slice }: UnsentRace, { names, seed }: Pass) {
  const { mode, progress, cores } = bench;
  const servers = new Map(
    contestants.map((contestant) => [contestant.name, { contestant, child: startProcess(cores?.contestants) }]),
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
      rounds,
      seed,
      measure: (name) => measure(slice, servers.get(name)!),
      onSlice: () => progress.step(),
    });
  } finally {
    await Promise.all([...servers.values()].map(({ child }) => child.end()));
  }
}

async function measure(slice: number, server: UnsentServer): Promise<Sample> {
  await server.child.call.collect();
  return unsentTurn(server, () => server.child.call.answerUnsentFor(slice));
}
