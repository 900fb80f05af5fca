import { SkippedWork, type Runner } from '../contestants/contestant.js';
import type { Keys } from './workload.js';

export interface SliceOrder {
  /** Checks that are under way at any time. */
  readonly inFlight: number;
  readonly milliseconds: number;
  /** Whether latencies are wanted: looking at the clock takes as long as a check in memory. */
  readonly timed: boolean;
}

/** What a contestant did in one slice. */
export interface SliceCount {
  readonly checks: number;
  readonly denied: number;
  readonly seconds: number;
  /** Latencies of some checks, in microseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU of this process. */
  readonly cpu: number;
  /** Answers that were found without the work, and how. */
  readonly skipped: number;
  readonly skippedHow: string | undefined;
}

/** One of so many that are under way is timed. */
const TIMED = 16;
/** Checks between two looks at whether the time is over, less one. */
const LOOK = 31;

/** Keeps so many checks under way for so long, as requests of a server do: each asks for its next when it is answered. */
export async function slice(runner: Runner, keys: Keys, order: SliceOrder): Promise<SliceCount> {
  const latencies: number[] = [];
  let checks = 0;
  let denied = 0;
  let skipped = 0;
  let skippedHow: string | undefined;
  let over = false;

  // All in one function: another one would be one more promise a check.
  async function ask(noted: number[] | undefined): Promise<void> {
    let asked = noted ? performance.now() : 0;
    while (!over) {
      try {
        if (!runner.admitted(await runner.check(keys.next()))) denied += 1;
      } catch (error) {
        if (runner.isDenial?.(error)) denied += 1;
        else {
          skipped += 1;
          skippedHow = error instanceof SkippedWork ? error.message : `failed: ${String(error)}`;
        }
      }
      checks += 1;
      if (noted) {
        const answered = performance.now();
        noted.push(answered - asked);
        asked = answered;
      }
      if ((checks & LOOK) === 0 && performance.now() >= end) over = true;
    }
  }

  const cpu = process.cpuUsage();
  const began = performance.now();
  const end = began + order.milliseconds;
  const asking = Array.from({ length: order.inFlight }, (_, index) =>
    ask(order.timed && index % TIMED === 0 ? latencies : undefined),
  );
  await Promise.all(asking);
  const seconds = (performance.now() - began) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  return { checks, denied, skipped, skippedHow, seconds, cpu: user + system, ...quantiles(latencies) };
}

/** In microseconds. */
function quantiles(latencies: readonly number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0) * 1e3;
  return { p50: at(0.5), p99: at(0.99) };
}
