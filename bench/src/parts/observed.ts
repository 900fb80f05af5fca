import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { inProcessSeconds, raceInProcess } from './in-process.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

const IN_MEMORY = {
  part: 'observed',
  title: 'Observed, in memory: 10 000 keys, uniform, one after the other',
  contestants: [
    'Sluice limiter, memory',
    'Sluice limiter, memory, metrics',
    'Sluice limiter, memory, in spans',
    'Sluice limiter, memory, in spans, traces',
  ],
  reference: 'Sluice limiter, memory',
} as const;
const ON_REDIS = {
  title: 'Observed, on Redis: one tier, 10 000 keys, uniform, 64 in flight',
  contestants: [
    'Sluice fixed-window',
    'Sluice fixed-window, metrics',
    'Sluice fixed-window, in spans',
    'Sluice fixed-window, in spans, traces',
  ],
  workload: { kind: 'uniform', keys: KEYS },
  inFlight: 64,
} as const;

/** What metrics and traces cost. */
export const observedPart: Part = {
  plan(mode) {
    const { length } = ON_REDIS.contestants;
    return inProcessSeconds(mode, IN_MEMORY) + raceSeconds(mode, length) + startSeconds(mode, length);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  // Never together: what one of them listens to would slow the others.
  const drivers = new Drivers(false, bench.cores);
  try {
    const rows = await race({ ...bench, drivers }, ON_REDIS);
    const { title, inFlight } = ON_REDIS;
    const onRedis = { part: 'observed', title, inFlight, reference: REFERENCE, rows } as const;
    return { tables: [await raceInProcess(bench, IN_MEMORY), onRedis] };
  } finally {
    await drivers.end();
  }
}
