import { entrants } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import type { Bench, Footprint, Part, PartResult } from './bench.js';
import { raceSeconds, startSeconds } from './plan.js';
import { troubleOf } from './trouble.js';

const REFERENCE = 'Map of counters';
/** Keys a second that go into a store, with the counting of its heap. */
const FILLED = 300_000;

/** Stores in this process, full of keys. */
export const memoryPart: Part = {
  plan(mode) {
    const { length } = measured;
    return raceSeconds(mode, length) + startSeconds(mode, length) + length * (mode.memoryKeys / FILLED);
  },
  run,
};

const measured = entrants('memory', 'all', 'uniform');

async function run(bench: Bench): Promise<PartResult> {
  const { mode, progress, seed, cores } = bench;
  const drivers = new Drivers(mode.together, cores);
  const names = measured.map(({ name }) => name);
  const title = `Memory stores: ${mode.memoryKeys.toLocaleString('en').replaceAll(',', ' ')} keys, uniform, one after the other`;
  progress.begin(title, names.length + sliceCount({ contestants: names, rounds: mode.rounds }));
  try {
    const footprints: Footprint[] = [];
    for (const { name, kind } of measured) {
      footprints.push({ where: 'heap', contestant: name, kind, bytes: await fill(bench, drivers, name) });
      progress.step();
    }
    const samples = await interleave({
      contestants: names,
      reference: REFERENCE,
      rounds: mode.rounds,
      seed,
      measure: (name) => measureInProcess(bench, drivers, name),
      onSlice: () => progress.step(),
    });
    const rows = rowsOf(measured, samples);
    return { tables: [{ part: 'memory', title, reference: REFERENCE, rows }], footprints };
  } finally {
    await drivers.end();
  }
}

/** Fills a store, and says how many bytes of heap each key takes, with its own text. */
async function fill({ mode, seed }: Bench, drivers: Drivers, contestant: string): Promise<number> {
  const { call } = drivers.of(contestant);
  const workload = { kind: 'uniform', keys: mode.memoryKeys } as const;
  // A limit out of reach, and so low that a bucket does not forget a unit while this lasts. Room for more keys, as a store
  // that is at its bound does other work.
  const numbers = { limit: 1_000, window: 86_400_000, prefix: 'rl', maxKeys: mode.memoryKeys * 2 };
  await call.open({ contestant, port: 0, ...numbers, workload, seed });
  const before = await call.heap();
  await call.fill(contestant, mode.memoryKeys, 1);
  const bytes = ((await call.heap()) - before) / mode.memoryKeys;
  await drivers.warmUp(contestant, { mode, inFlight: 1, timed: false });
  return bytes;
}

/** A slice of a contestant that decides in its process. */
export async function measureInProcess({ mode }: Bench, drivers: Drivers, contestant: string): Promise<Sample> {
  const { call } = drivers.of(contestant);
  await call.collect();
  const slice = await call.slice(contestant, { inFlight: 1, milliseconds: mode.slice, timed: false });
  const { checks, seconds, cpu } = slice;
  return {
    rate: checks / seconds,
    p50: (seconds / checks) * 1e6,
    p99: NaN,
    cpu: cpu / checks,
    redisCpu: 0,
    scriptTime: 0,
    bytesIn: 0,
    bytesOut: 0,
    commands: 0,
    fromProcess: 1,
    trouble: troubleOf([slice], { decides: true, workload: 'uniform' }),
  };
}
