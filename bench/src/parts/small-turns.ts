import { titles } from '../http/http-contestant.js';
import { bareOf } from '../http/index.js';
import type { HttpContestant } from '../http/http-contestant.js';
import type { Mode } from '../mode.js';
import type { Part, Table } from './bench.js';
import { sum } from './plan.js';
import { raceUnsent, unsentSeconds } from './unsent-race.js';

const FRAMEWORKS = ['fastify', 'express'] as const;
type Framework = (typeof FRAMEWORKS)[number];

interface SmallTurns {
  readonly part: 'inside' | 'overload';
  /** The first words of the titles of its tables. */
  readonly title: string;
  readonly entrants: (framework: Framework) => readonly HttpContestant[];
  /** Turns in a round. */
  readonly turns: number;
}

/** A part whose contestants differ by little, without sockets: its turns are shorter and more than those of whole limiters. */
export function smallTurns({ part, title, entrants, turns }: SmallTurns): Part {
  const raceOf = ({ http, slice }: Mode, framework: Framework) => ({
    part,
    title: `${title}: ${titles[framework]}, memory, 1 000 addresses`,
    contestants: entrants(framework),
    reference: bareOf[framework],
    // The whole benchmark has no time for more.
    passes: Math.min(http.passes, 2),
    rounds: turns * http.rounds,
    slice: slice / 4,
  });
  return {
    plan: (mode) => sum(FRAMEWORKS.map((framework) => unsentSeconds(mode, raceOf(mode, framework)))),
    async run(bench) {
      const tables: Table[] = [];
      for (const framework of FRAMEWORKS) tables.push(await raceUnsent(bench, raceOf(bench.mode, framework)));
      return { tables };
    },
  };
}
