import { entrants, REFERENCE } from '../contestants/index.js';
import type { Workload } from '../drive/workload.js';
import { KEYS, type Cell } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, startSeconds, sum } from './plan.js';
import { race } from './race.js';

const TITLES: Readonly<Record<Workload['kind'], string>> = {
  uniform: '10 000 keys, uniform',
  zipf: '10 000 keys, zipf 1.1',
  hot: 'one hot key',
  attack: 'attack, 90 % denied',
};

/** One tier on Redis: each workload with few and with many checks in flight. */
export const redisPart: Part = {
  plan(mode) {
    const fields = mode.cells.map(namesOf);
    return sum(fields.map(({ length }) => raceSeconds(mode, length))) + startSeconds(mode, new Set(fields.flat()).size);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const cell of bench.mode.cells) {
    const { workload, inFlight } = cell;
    const title = `One tier: ${TITLES[workload]}, ${inFlight} in flight`;
    const rows = await race(bench, {
      title,
      contestants: namesOf(cell),
      workload: { kind: workload, keys: KEYS },
      inFlight,
    });
    tables.push({ part: 'redis', title, workload, inFlight, reference: REFERENCE, rows });
  }
  return { tables };
}

function namesOf({ workload, field }: Cell): readonly string[] {
  return entrants('one-tier', field, workload).map(({ name }) => name);
}
