import { REFERENCE } from '../contestants/index.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, sum, WARM } from './plan.js';
import { race } from './race.js';

const CONTESTANTS = ['Sluice fixed-window', 'Sluice token-bucket', 'rate-limit-redis'];

/** More and more keys in Redis: bytes of each, and the time of a check. The reference stays at 10 000 keys. */
export const keysPart: Part = {
  plan: (mode) => CONTESTANTS.length * sum(mode.keys.map((keys) => keys / WARM + raceSeconds(mode, 1))),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const keys of bench.mode.keys) {
    const title = `${keys.toLocaleString('en').replaceAll(',', ' ')} keys in Redis, 64 in flight`;
    // One at a time, so that all keys in Redis are the contestant's.
    const rows = [];
    for (const contestant of CONTESTANTS) {
      const workload = { kind: 'uniform', keys } as const;
      rows.push(
        ...(await race(bench, {
          title: `${title}: ${contestant}`,
          contestants: [contestant],
          workload,
          inFlight: 64,
          fill: keys,
        })),
      );
    }
    tables.push({ part: 'keys', title, inFlight: 64, reference: REFERENCE, x: keys, rows });
  }
  return { tables };
}
