import { entrants, REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS, type Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, START, startSeconds, sum } from './plan.js';
import { race } from './race.js';

const TIERS = { 'one-tier': 'one tier', 'three-tiers': 'three tiers' } as const;

/** Few checks in flight, with all contestants in one process: V8 then specialises the code that they share for none. */
export const lightPart: Part = {
  plan(usual) {
    const mode = inOneProcess(usual);
    const names = mode.light.map(namesOf);
    const races = sum(names.map(({ length }) => raceSeconds(mode, length)));
    return START + races + startSeconds(mode, new Set(names.flat()).size);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const drivers = new Drivers(true, bench.cores);
  const tables: Table[] = [];
  try {
    for (const cell of bench.mode.light) {
      const { discipline, inFlight } = cell;
      const title = `One process for all: ${TIERS[discipline]}, 10 000 keys, uniform, ${inFlight} in flight`;
      const contestants = namesOf(cell);
      const options = { title, contestants, workload: { kind: 'uniform', keys: KEYS }, inFlight } as const;
      const rows = await race({ ...bench, mode: inOneProcess(bench.mode), drivers }, options);
      tables.push({ part: 'light', title, workload: discipline, inFlight, reference: REFERENCE, rows });
    }
  } finally {
    await drivers.end();
  }
  return { tables };
}

/** Contestants that share a process share compiled code, and differ less by chance. */
function inOneProcess(mode: Mode): Mode {
  return { ...mode, together: true, rounds: Math.ceil(mode.rounds / 2), warmChecks: mode.warmChecks / 4 };
}

function namesOf({ discipline }: Mode['light'][number]): readonly string[] {
  return entrants(discipline, 'main', 'uniform').map(({ name }) => name);
}
