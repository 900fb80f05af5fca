import { titles } from '../http/http-contestant.js';
import { bareOf } from '../http/index.js';
import { insideEntrants } from '../http/inside/index.js';
import type { Mode } from '../mode.js';
import type { Part, Table } from './bench.js';
import { sum } from './plan.js';
import { raceUnsent, unsentSeconds } from './unsent-race.js';

const FRAMEWORKS = ['fastify', 'express'] as const;
/** Turns are shorter and more than those of whole limiters, because parts of a limiter differ less than limiters do. */
const TURNS = 12;

/** What each part of a limit in memory adds to the CPU of a request, without sockets. */
export const insidePart: Part = {
  plan: (mode) => sum(FRAMEWORKS.map((framework) => unsentSeconds(mode, raceOf(mode, framework)))),
  async run(bench) {
    const tables: Table[] = [];
    for (const framework of FRAMEWORKS) tables.push(await raceUnsent(bench, raceOf(bench.mode, framework)));
    return { tables };
  },
};

function raceOf({ http, slice }: Mode, framework: (typeof FRAMEWORKS)[number]) {
  return {
    part: 'inside' as const,
    title: `Inside a request: ${titles[framework]}, memory, 1 000 addresses`,
    contestants: insideEntrants(framework),
    reference: bareOf[framework],
    // The whole benchmark has no time for more.
    passes: Math.min(http.passes, 2),
    rounds: TURNS * http.rounds,
    slice: slice / 4,
  };
}
