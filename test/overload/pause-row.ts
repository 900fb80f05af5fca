import type { Contestant, Entry } from './contestant.js';
import { calmAfter, round } from './load-row.js';
import { sumOf, type Counts } from './flood.js';
import { PRIORITIES } from './terms.js';

/** What pauses of a process have cost. */
export interface PauseRow extends Entry {
  readonly kind: 'pause';
  /** Milliseconds. */
  readonly pause: number;
  /** Of the capacity. */
  readonly load: number;
  readonly tries: number;
  readonly version: string;
  readonly date: string;
  /** Requests of the second after a pause, in all tries. */
  readonly came: number;
  /** Those that were refused, whenever they came. */
  readonly refused: Counts;
  /** Tries in which any was refused. */
  readonly refusing: number;
  readonly level: number;
  /** The longest time from the end of a pause until the level was 0. Absent where it did not fall. */
  readonly calmAfter?: number | undefined;
}

const BEFORE = 600;
const SECOND = 1_000;
const AFTER = 600;

/** Pauses of a process that serves a load, one after the other. */
export async function pauseRow(
  contestant: Contestant,
  entry: Entry,
  { pause, load, tries, capacity }: { pause: number; load: number; tries: number; capacity: number },
): Promise<PauseRow> {
  const rate = load * capacity;
  const refused: Counts = { critical: 0, normal: 0, sheddable: 0 };
  let [came, refusing, level] = [0, 0, 0];
  let longest: number | undefined = 0;
  let version = '';
  for (let run = 0; run < tries; run += 1) {
    let ended = 0;
    await contestant.state();
    const seen = await contestant.flood.send(
      [
        { rate, lasts: BEFORE },
        { rate, lasts: pause, begins: () => contestant.pause(pause) },
        { rate, lasts: SECOND, begins: () => (ended = Date.now()) },
        { rate, lasts: AFTER },
      ],
      capacity,
    );
    const state = await contestant.state();
    const calm = calmAfter(entry, state, ended);
    longest = calm === undefined || longest === undefined ? undefined : Math.max(longest, calm);
    ({ version } = state);
    level = Math.max(level, state.highest);
    came += sumOf(seen[2]!.came);
    for (const each of PRIORITIES) refused[each] += seen.reduce((sum, phase) => sum + phase.refused[each], 0);
    if (seen.some((phase) => sumOf(phase.refused) > 0)) refusing += 1;
  }
  return {
    kind: 'pause',
    ...entry,
    pause,
    load,
    tries,
    version,
    date: new Date().toISOString().slice(0, 10),
    came,
    refused,
    refusing,
    level: round(level, 0),
    calmAfter: longest,
  };
}
