import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process holds, and a Redis for it, when nothing is under way. */
export interface Sample {
  /** Milliseconds since the beginning. */
  readonly at: number;
  /** Bytes of the heap that are in use after everything else was cleared away. */
  readonly heap: number;
  readonly keys: number;
  readonly timers: number;
  /** Sockets, pipes and processes that are open. */
  readonly handles: number;
}

const TIMERS = ['Timeout', 'Immediate'];

/** Timers and handles that keep this process up. */
export function openResources(): Pick<Sample, 'timers' | 'handles'> {
  const all = process.getActiveResourcesInfo();
  const timers = all.filter((kind) => TIMERS.includes(kind)).length;
  return { timers, handles: all.length - timers };
}

/** Bytes of the heap in use, after all that is not has been collected. */
export function usedHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function collect(): void {
  // What has finalizers goes in the second round.
  collectGarbage();
  collectGarbage();
}

/** How a number has gone over a run: its middle in the first quarter and in the last, and by how much it grows. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly most: number;
  /** In an hour, by the line that fits best. */
  readonly slope: number;
}

/** The trend of samples. The first tenth of them is left out: until then everything has happened for the first time. */
export function trendOf(samples: readonly Sample[], what: Exclude<keyof Sample, 'at'>): Trend {
  const settled = samples.slice(Math.floor(samples.length / 10));
  const values = settled.map((sample) => sample[what]);
  const quarter = Math.max(1, Math.floor(values.length / 4));
  return {
    first: median(values.slice(0, quarter)),
    last: median(values.slice(-quarter)),
    least: Math.min(...values),
    most: Math.max(...values),
    slope: slopeOf(settled.map((sample) => [sample.at / 3_600_000, sample[what]])),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const spread = sum(points.map(([each]) => (each - x) ** 2));
  return spread === 0 ? 0 : sum(points.map(([one, other]) => (one - x) * (other - y))) / spread;
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
