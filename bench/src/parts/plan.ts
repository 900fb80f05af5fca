import type { Mode } from '../mode.js';

// Rough durations on two cores, to announce how long a run takes.
/** Milliseconds between two slices. */
const BETWEEN = 8;
/** Seconds that a process takes to start. */
export const START = 0.5;
/** Checks a second of a contestant before V8 has optimised it. */
const COLD = 70_000;
/** Checks a second of one that is fast enough to fill a Redis. */
export const WARM = 200_000;

/** Seconds of so many contestants in one table, and of the reference beside them. */
export function raceSeconds({ rounds, slice, warmUp }: Mode, contestants: number, copies = 1): number {
  const turns = rounds * (2 * contestants + 1);
  return (turns * (slice + BETWEEN) + (contestants + 1) * copies * warmUp) / 1e3;
}

/** Seconds until so many processes have started, and are compiled well. */
export function startSeconds({ warmChecks, together }: Mode, processes: number): number {
  return (together ? 0 : processes * START) + (processes * warmChecks) / COLD;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
