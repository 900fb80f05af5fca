import { createLimiter, memoryStore, type Decision } from '../../../packages/core/src/index.js';
import { fakeClock } from '../../../packages/core/src/testing/clock.js';
import { requests } from './input.js';
import type { Subject } from './subjects.js';

/** When the requests that a policy admits go on, in milliseconds: all of them have to wait their delay first. */
export function admissions({ policy }: Subject): readonly number[] {
  const clock = fakeClock();
  const start = clock();
  const limiter = createLimiter<null>({ ...policy, store: memoryStore({ clock }), name: 'picture', key: () => 'one' });
  const admitted: number[] = [];
  for (const at of requests) {
    clock.set(start + at);
    // A memory store answers at once.
    const { allowed, delay } = limiter.consume(null) as Decision;
    if (allowed) admitted.push(at + delay);
  }
  return admitted.toSorted((one, other) => one - other);
}

/** How many of some moments lie in each bin. */
export function perBin(moments: readonly number[], bin: number, bins: number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const moment of moments) counts[Math.floor(moment / bin)]! += 1;
  return counts;
}

/** A step: from `at` on, the value holds. */
export type Step = readonly [at: number, value: number];

/** How many of some moments have come. */
export function cumulative(moments: readonly number[]): readonly Step[] {
  return moments.map((moment, index) => [moment, index + 1]);
}

/** How many of some moments lie in the window before each time. */
export function trailing(moments: readonly number[], window: number): readonly Step[] {
  const events = [...moments.map((at) => [at, 1] as const), ...moments.map((at) => [at + window, -1] as const)];
  // What leaves at a time has left when another comes: a unit counts in [u, u + window).
  events.sort(([one, rise], [other, otherRise]) => one - other || rise - otherRise);
  let value = 0;
  return events.map(([at, change]) => [at, (value += change)]);
}
