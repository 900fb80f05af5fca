import { entrants, REFERENCE } from '../contestants/index.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

/** Few, because a peer keeps an object, a timer and eight keys for each. */
const KEYS = 100;
/** The rate alone, with a permit, and a permit alone: a permit is taken and released. */
const CONTESTANTS = ['Sluice fixed-window', ...entrants('permits', 'main', 'uniform').map(({ name }) => name)];

/** What the permit of a running request costs. */
export const permitsPart: Part = {
  plan: (mode) => mode.permits.length * raceSeconds(mode, CONTESTANTS.length) + startSeconds(mode, CONTESTANTS.length),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const inFlight of bench.mode.permits) {
    const title = `Permits, taken and released: ${KEYS} keys, uniform, ${inFlight} in flight`;
    const workload = { kind: 'uniform', keys: KEYS } as const;
    const rows = await race(bench, { title, contestants: CONTESTANTS, workload, inFlight });
    tables.push({ part: 'permits', title, workload: 'uniform', inFlight, reference: REFERENCE, rows });
  }
  return { tables };
}
