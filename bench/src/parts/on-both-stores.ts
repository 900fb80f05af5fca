import { REFERENCE } from '../contestants/index.js';
import { Drivers } from '../measure/drivers.js';
import { KEYS } from '../mode.js';
import type { Part } from './bench.js';
import { type InProcessRace, inProcessSeconds, raceInProcess } from './in-process.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race, type Race } from './race.js';

interface BothStores {
  readonly inMemory: InProcessRace;
  /** With uniform keys, 64 in flight. */
  readonly onRedis: Pick<Race, 'title' | 'contestants'>;
}

/**
 * A part that shows what a feature costs in memory, one check after the other, and on Redis. Each has drivers of its own, because what
 * the contestants of one part listen to would slow those of another.
 */
export function partOnBothStores({ inMemory, onRedis }: BothStores): Part {
  const { length } = onRedis.contestants;
  const work = { ...onRedis, workload: { kind: 'uniform', keys: KEYS }, inFlight: 64 } as const;
  return {
    plan: (mode) => inProcessSeconds(mode, inMemory) + raceSeconds(mode, length) + startSeconds(mode, length),
    async run(bench) {
      const drivers = new Drivers(false, bench.cores);
      try {
        const rows = await race({ ...bench, drivers }, work);
        const { title, inFlight } = work;
        const table = { part: inMemory.part, title, inFlight, reference: REFERENCE, rows };
        return { tables: [await raceInProcess(bench, inMemory), table] };
      } finally {
        await drivers.end();
      }
    },
  };
}
