import { REFERENCE } from '../contestants/index.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds } from './plan.js';
import { race } from './race.js';

const CONTESTANTS = ['Sluice fixed-window', 'Sluice token-bucket', 'rate-limit-redis'];

/** Checks that share a call, and their rate, with more and more checks in flight. */
export const batchesPart: Part = {
  plan: (mode) => mode.loads.length * raceSeconds(mode, CONTESTANTS.length),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const inFlight of bench.mode.loads) {
    const title = `Load: ${inFlight} in flight`;
    const rows = await race(bench, {
      title,
      contestants: CONTESTANTS,
      workload: { kind: 'uniform', keys: KEYS },
      inFlight,
    });
    tables.push({ part: 'batches', title, inFlight, reference: REFERENCE, x: inFlight, rows });
  }
  return { tables };
}
