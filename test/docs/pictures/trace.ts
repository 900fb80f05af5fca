import { createLimiter, memoryStore, type Decision } from '../../../packages/core/src/index.js';
import { fakeClock } from '../../../packages/testing/src/clock.js';
import { requests } from './input.js';
import type { Subject } from './subjects.js';

/** The times at which admitted requests continue, after their delay, in milliseconds. */
export function admissions({ policy }: Subject): readonly number[] {
  const clock = fakeClock();
  const start = clock();
  const limiter = createLimiter<null>({ ...policy, store: memoryStore({ clock }), name: 'picture', key: () => 'one' });
  const admitted: number[] = [];
  for (const at of requests) {
    clock.set(start + at);
    // A memory store returns no promise.
    const { allowed, delay } = limiter.consume(null) as Decision;
    if (allowed) admitted.push(at + delay);
  }
  return admitted.toSorted((one, other) => one - other);
}

/** The number of moments in each bin. */
export function perBin(moments: readonly number[], bin: number, bins: number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const moment of moments) counts[Math.floor(moment / bin)]! += 1;
  return counts;
}

/** The value from `at` on. */
export type Step = readonly [at: number, value: number];

/** The number of moments so far. */
export function cumulative(moments: readonly number[]): readonly Step[] {
  return moments.map((moment, index) => [moment, index + 1]);
}

/** The number of moments in the window before each time. */
export function trailing(moments: readonly number[], window: number): readonly Step[] {
  const events = [...moments.map((at) => [at, 1] as const), ...moments.map((at) => [at + window, -1] as const)];
  // A unit counts in [u, u + window), so it leaves before another one enters.
  events.sort(([one, rise], [other, otherRise]) => one - other || rise - otherRise);
  let value = 0;
  return events.map(([at, change]) => [at, (value += change)]);
}
