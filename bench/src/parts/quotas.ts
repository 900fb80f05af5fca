import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

const ON_REDIS = {
  title: 'Months, notices, usage and credits: 10 000 keys, uniform, 64 in flight',
  contestants: [
    'Sluice fixed-window',
    'Sluice month',
    'Sluice month, notices',
    'Sluice month, usage',
    'Sluice month and credits',
    'Sluice month and credits that pay',
  ],
  workload: { kind: 'uniform', keys: KEYS },
  inFlight: 64,
} as const;

/** What quotas cost beside a fixed window. */
export const quotasPart: Part = {
  plan(mode) {
    const { length } = ON_REDIS.contestants;
    return raceSeconds(mode, length) + startSeconds(mode, length);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const drivers = new Drivers(false, bench.cores);
  try {
    const rows = await race({ ...bench, drivers }, ON_REDIS);
    const { title, inFlight } = ON_REDIS;
    return { tables: [{ part: 'quotas', title, inFlight, reference: REFERENCE, rows }] };
  } finally {
    await drivers.end();
  }
}
