import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The resources of an idle process and its Redis. */
export interface Sample {
  /** Milliseconds since the start. */
  readonly at: number;
  /** Bytes of the heap in use after a collection. */
  readonly heap: number;
  readonly keys: number;
  readonly timers: number;
  /** Open sockets, pipes and processes. */
  readonly handles: number;
}

const TIMERS = ['Timeout', 'Immediate'];

/** Timers and handles that keep this process alive. */
export function openResources(): Pick<Sample, 'timers' | 'handles'> {
  const all = process.getActiveResourcesInfo();
  const timers = all.filter((kind) => TIMERS.includes(kind)).length;
  return { timers, handles: all.length - timers };
}

/** Bytes of the heap in use after a collection. */
export function usedHeap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function collect(): void {
  // Objects with finalizers go in the second round.
  collectGarbage();
  collectGarbage();
}

/** The course of a number in a run: medians of its first and last quarter, and its growth. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly most: number;
  /** Growth in an hour, by linear regression. */
  readonly slope: number;
}

/** The trend of samples. It ignores the first tenth, when caches fill. */
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
