import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { inProcessSeconds, raceInProcess } from './in-process.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

const IN_MEMORY = {
  part: 'overrides',
  title: 'Overrides of 10 000 clients, in memory: 10 000 keys, uniform, one after the other',
  contestants: [
    'Sluice limiter, memory',
    'Sluice limiter, memory, 10 000 overrides',
    'Sluice limiter, memory, overridden clients',
  ],
  reference: 'Sluice limiter, memory',
} as const;
const ON_REDIS = {
  title: 'Overrides of 10 000 other clients, on Redis: one tier, 10 000 keys, uniform, 64 in flight',
  contestants: ['Sluice fixed-window', 'Sluice fixed-window, 10 000 overrides'],
  workload: { kind: 'uniform', keys: KEYS },
  inFlight: 64,
} as const;

/** What overrides cost the clients that have none, and those that have one. */
export const overridesPart: Part = {
  plan(mode) {
    const { length } = ON_REDIS.contestants;
    return inProcessSeconds(mode, IN_MEMORY) + raceSeconds(mode, length) + startSeconds(mode, length);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const drivers = new Drivers(false, bench.cores);
  try {
    const rows = await race({ ...bench, drivers }, ON_REDIS);
    const { title, inFlight } = ON_REDIS;
    const onRedis = { part: 'overrides', title, inFlight, reference: REFERENCE, rows } as const;
    return { tables: [await raceInProcess(bench, IN_MEMORY), onRedis] };
  } finally {
    await drivers.end();
  }
}
