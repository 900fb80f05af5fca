import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import { allCores, pin } from '../processes/cores.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, startSeconds, sum } from './plan.js';
import { race } from './race.js';

const CONTESTANTS = [REFERENCE, 'rate-limit-redis', 'Sluice fixed-window', 'Sluice token-bucket'];

/**
 * More and more processes on one Redis, each with 64 checks in flight. All cores are for all of them, as there may be more
 * processes than cores.
 */
export const processesPart: Part = {
  plan(mode) {
    const races = mode.processes.map((copies) => raceSeconds(mode, CONTESTANTS.length, copies));
    return sum(races) + startSeconds(mode, CONTESTANTS.length * Math.max(...mode.processes));
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const { cores, mode, redis } = bench;
  const drivers = new Drivers(mode.together, undefined);
  if (cores) pin(redis, allCores(cores));
  try {
    return await raceAll({ ...bench, drivers });
  } finally {
    if (cores) pin(redis, cores.redis);
    await drivers.end();
  }
}

async function raceAll(bench: Bench): Promise<PartResult> {
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
