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
  const all = [...new Set([reference, ...contestants])];
  progress.begin(title, all.length + sliceCount({ contestants, rounds: mode.rounds }));
  try {
    for (const contestant of all) {
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
export function inProcessSeconds(
  mode: Mode,
  { contestants, reference }: Pick<InProcessRace, 'contestants' | 'reference'>,
): number {
  return raceSeconds(mode, contestants.length) + startSeconds(mode, new Set([reference, ...contestants]).size);
}
