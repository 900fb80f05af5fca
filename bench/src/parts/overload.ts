import { titles } from '../http/http-contestant.js';
import { bareOf } from '../http/index.js';
import { sheddingEntrants } from '../http/inside/index.js';
import type { Mode } from '../mode.js';
import type { Part, Table } from './bench.js';
import { sum } from './plan.js';
import { raceUnsent, unsentSeconds } from './unsent-race.js';

const FRAMEWORKS = ['fastify', 'express'] as const;
/** Short turns, and many: what is added is less than a hundredth. */
const TURNS = 24;

/** What a shedder and a queue add to the CPU of a request in calm, without sockets. */
export const overloadPart: Part = {
  plan: (mode) => sum(FRAMEWORKS.map((framework) => unsentSeconds(mode, raceOf(mode, framework)))),
  async run(bench) {
    const tables: Table[] = [];
    for (const framework of FRAMEWORKS) tables.push(await raceUnsent(bench, raceOf(bench.mode, framework)));
    return { tables };
  },
};

function raceOf({ http, slice }: Mode, framework: (typeof FRAMEWORKS)[number]) {
  return {
    part: 'overload' as const,
    title: `A shedder in calm: ${titles[framework]}, memory, 1 000 addresses`,
    contestants: sheddingEntrants(framework),
    reference: bareOf[framework],
    passes: Math.min(http.passes, 2),
    rounds: TURNS * http.rounds,
    slice: slice / 4,
  };
}
