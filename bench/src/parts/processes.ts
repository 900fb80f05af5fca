import { REFERENCE } from '../contestants/index.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, startSeconds, sum } from './plan.js';
import { race } from './race.js';

const CONTESTANTS = [REFERENCE, 'rate-limit-redis', 'Sluice fixed-window', 'Sluice token-bucket'];

/** More and more processes on one Redis, each with 64 checks in flight. */
export const processesPart: Part = {
  plan(mode) {
    const races = mode.processes.map((copies) => raceSeconds(mode, CONTESTANTS.length, copies));
    // The first of each has run before.
    return sum(races) + startSeconds(mode, CONTESTANTS.length * (Math.max(...mode.processes) - 1));
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const copies of bench.mode.processes) {
    const title = `One Redis: ${copies} ${copies === 1 ? 'process' : 'processes'}, 64 in flight each`;
    const rows = await race(bench, {
      title,
      contestants: CONTESTANTS,
      workload: { kind: 'uniform', keys: KEYS },
      inFlight: 64,
      copies,
    });
    tables.push({ part: 'processes', title, inFlight: 64, reference: REFERENCE, x: copies, rows });
  }
  return { tables };
}
