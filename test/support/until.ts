import { setTimeout } from 'node:timers/promises';
import type { MaybePromise } from '../../packages/core/src/index.js';

/** More than anything takes on a busy machine, and less than the time limit of a test. */
const MAX_WAIT_MS = 20_000;

/** Polls a condition until it holds: often at first, and less often the longer it takes. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    const waited = performance.now() - startedAt;
    if (waited > MAX_WAIT_MS) throw new Error('the condition did not hold in time');
    await pauseAfter(waited);
  }
}

/** Repeats a call until it resolves with another value than false, and resolves with that value. */
export async function untilAnswered<T>(call: () => MaybePromise<T>): Promise<Exclude<T, false>> {
  const startedAt = performance.now();
  for (;;) {
    const [answer] = await Promise.allSettled([Promise.resolve().then(call)]);
    if (answer.status === 'fulfilled' && answer.value !== false) return answer.value as Exclude<T, false>;
    await pauseAfter(performance.now() - startedAt);
  }
}

/** From 2 to 20 ms. */
function pauseAfter(waited: number): Promise<void> {
  return setTimeout(Math.min(20, 2 + waited / 20));
}
