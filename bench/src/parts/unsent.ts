import { titles, type Framework, type HttpContestant } from '../http/http-contestant.js';
import { bareOf, httpEntrants } from '../http/index.js';
import type { Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { sum } from './plan.js';
import { raceUnsent, unsentSeconds } from './unsent-race.js';

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

/** What a limit in memory adds to the CPU of a request. Without sockets, whose CPU depends on how the system wakes both ends. */
export const unsentPart: Part = {
  plan: (mode) => sum(FIELDS.map((field) => unsentSeconds(mode, raceOf(mode, field)))),
  async run(bench: Bench): Promise<PartResult> {
    const tables: Table[] = [];
    for (const field of FIELDS) tables.push(await raceUnsent(bench, raceOf(bench.mode, field)));
    return { tables };
  },
};

function raceOf(mode: Mode, { framework, denied }: UnsentField) {
  return {
    part: 'unsent' as const,
    title: `Without sockets: ${titles[framework]}, memory, 1 000 addresses${denied ? ', all denied' : ''}`,
    contestants: entrantsOf(mode, { framework, denied }),
    reference: bareOf[framework],
    // Hono has one pass: the whole benchmark has no time for more.
    passes: framework === 'hono' ? 1 : mode.http.passes,
    rounds: TURNS * mode.http.rounds,
    slice: mode.slice,
  };
}

function entrantsOf({ field }: Mode, { framework, denied }: UnsentField): readonly HttpContestant[] {
  return httpEntrants(framework, field).filter(
    (each) => each.store === 'none' || (each.store === 'memory' && each.denied === denied),
  );
}
