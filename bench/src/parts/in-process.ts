import { contestantNamed } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import { KEYS, type Mode } from '../mode.js';
import type { Bench, PartName, Table } from './bench.js';
import { measureInProcess } from './memory.js';
import { raceSeconds, startSeconds } from './plan.js';

export interface InProcessRace {
  readonly part: PartName;
  readonly title: string;
  readonly contestants: readonly string[];
  /** The contestant that the others are compared with. */
  readonly reference: string;
}

/** Contestants that decide in their own process, side by side. */
export async function raceInProcess(bench: Bench, options: InProcessRace): Promise<Table> {
  const { mode, progress, seed, cores } = bench;
  const { part, title, contestants, reference } = options;
  // Never together: what one of them listens to would slow the others.
  const drivers = new Drivers(false, cores);
  progress.begin(title, contestants.length + sliceCount({ contestants, rounds: mode.rounds }));
  try {
    for (const contestant of contestants) {
      const numbers = { limit: 1_000_000, window: 86_400_000, prefix: 'rl', maxKeys: KEYS * 2 };
      const workload = { kind: 'uniform', keys: KEYS } as const;
      await drivers.of(contestant).call.open({ contestant, port: 0, ...numbers, workload, seed });
      await drivers.warmUp(contestant, { mode, inFlight: 1, timed: false });
      progress.step();
    }
    const samples = await interleave({
      contestants,
      reference,
      rounds: mode.rounds,
      seed,
      measure: (name) => measureInProcess(bench, drivers, name),
      onSlice: () => progress.step(),
    });
    const rows = rowsOf(contestants.map(contestantNamed), samples);
    return { part, title, reference, rows };
  } finally {
    await drivers.end();
  }
}

/** Seconds of such a race. */
export function inProcessSeconds(mode: Mode, { contestants: { length } }: InProcessRace): number {
  return raceSeconds(mode, length) + startSeconds(mode, length);
}
