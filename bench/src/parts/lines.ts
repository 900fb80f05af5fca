import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { inProcessSeconds, raceInProcess } from './in-process.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

const FORMS = ['denied', 'denied in line', 'denied in a kept line'] as const;
const IN_MEMORY = {
  part: 'lines',
  title: 'Denials in memory: 100 keys of 10 000 callers, one after the other',
  contestants: FORMS.map((form) => `Sluice, memory, ${form}`),
  reference: 'Sluice, memory, denied',
} as const;
const ON_REDIS = {
  title: 'Denials on Redis: 100 keys of 10 000 callers, 64 in flight',
  contestants: FORMS.map((form) => `Sluice, Redis, ${form}`),
  workload: { kind: 'uniform', keys: KEYS },
  inFlight: 64,
} as const;

/** What a line costs a denied request. */
export const linesPart: Part = {
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
    const onRedis = { part: 'lines', title, inFlight, reference: REFERENCE, rows } as const;
    return { tables: [await raceInProcess(bench, IN_MEMORY), onRedis] };
  } finally {
    await drivers.end();
  }
}
