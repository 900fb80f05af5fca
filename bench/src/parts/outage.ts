import { entrants } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import { KEYS } from '../mode.js';
import type { Bench, Part, PartResult } from './bench.js';
import { measureInProcess } from './memory.js';
import { raceSeconds, startSeconds } from './plan.js';

const MEMORY = 'Sluice limiter, memory';

/** A limiter whose Redis is down, and one that keeps its limits in memory. */
export const outagePart: Part = {
  plan: (mode) => raceSeconds(mode, names.length) + startSeconds(mode, names.length),
  run,
};

const measured = entrants('outage', 'all', 'uniform');
const names = measured.map(({ name }) => name);

async function run(bench: Bench): Promise<PartResult> {
  const { mode, progress, seed, cores } = bench;
  const drivers = new Drivers(mode.together, cores);
  const title = 'Redis is down: 10 000 keys, uniform, one after the other';
  progress.begin(title, names.length + sliceCount({ contestants: names, rounds: mode.rounds }));
  try {
    for (const contestant of names) {
      const numbers = { limit: 1_000_000, window: 86_400_000, prefix: 'rl', maxKeys: KEYS * 2 };
      const workload = { kind: 'uniform', keys: KEYS } as const;
      await drivers.of(contestant).call.open({ contestant, port: 0, ...numbers, workload, seed });
      await drivers.warmUp(contestant, { mode, inFlight: 1, timed: false });
      progress.step();
    }
    const samples = await interleave({
      contestants: names,
      reference: MEMORY,
      rounds: mode.rounds,
      seed,
      measure: (name) => measureInProcess(bench, drivers, name),
      onSlice: () => progress.step(),
    });
    const rows = rowsOf(measured.map(({ name, kind }) => ({ contestant: name, kind, samples: samples.get(name)! })));
    return { tables: [{ part: 'outage', title, reference: MEMORY, rows }] };
  } finally {
    await drivers.end();
  }
}
