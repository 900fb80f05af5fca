import { SkippedWork, type Runner } from '../contestants/contestant.js';
import type { Keys } from './workload.js';

export interface SliceOrder {
  /** Checks in flight at any time. */
  readonly inFlight: number;
  readonly milliseconds: number;
  /** Whether to measure latencies. Reading the clock takes as long as a check in memory. */
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
  /** Answers that were given without the work, and their kind. */
  readonly skipped: number;
  readonly skippedHow: string | undefined;
}

/** One of this many checks in flight is timed. */
const TIMED = 16;
/** Checks between two reads of the clock, less one. */
const LOOK = 31;

/** Keeps this many checks in flight for this long. Each answer starts the next check, as in a server. */
export async function slice(runner: Runner, keys: Keys, order: SliceOrder): Promise<SliceCount> {
  const latencies: number[] = [];
  let checks = 0;
  let denied = 0;
  let skipped = 0;
  let skippedHow: string | undefined;
  let over = false;

  // One function, because a second one adds a promise to each check.
  async function checkOn(timings: number[] | undefined): Promise<void> {
    let sentAt = timings ? performance.now() : 0;
    while (!over) {
      let answer: unknown;
      try {
        answer = await runner.check(keys.next());
        if (!runner.admitted(answer)) denied += 1;
      } catch (error) {
        if (runner.isDenial?.(error)) denied += 1;
        else {
          skipped += 1;
          skippedHow = error instanceof SkippedWork ? error.message : `failed: ${String(error)}`;
        }
      }
      checks += 1;
      if (timings) {
        const answered = performance.now();
        timings.push(answered - sentAt);
        sentAt = answered;
      }
      if (runner.end) {
        await runner.end(answer);
        if (timings) sentAt = performance.now();
      }
      if ((checks & LOOK) === 0 && performance.now() >= end) over = true;
    }
  }

  const cpu = process.cpuUsage();
  const began = performance.now();
  const end = began + order.milliseconds;
  const asking = Array.from({ length: order.inFlight }, (_, index) =>
    checkOn(order.timed && index % TIMED === 0 ? latencies : undefined),
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
