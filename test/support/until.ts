import { setTimeout } from 'node:timers/promises';
import type { MaybePromise } from '../../packages/core/src/index.js';

/** More than anything takes on a busy machine, and less than the time limit of a test. */
const MAX_WAIT_MS = 20_000;

/** Polls a condition until it holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error('the condition did not hold in time');
    await setTimeout(2);
  }
}

/** Repeats a call until it resolves with another value than false, and resolves with that value. */
export async function untilAnswered<T>(call: () => MaybePromise<T>): Promise<Exclude<T, false>> {
  for (;;) {
    const [answer] = await Promise.allSettled([Promise.resolve().then(call)]);
    if (answer.status === 'fulfilled' && answer.value !== false) return answer.value as Exclude<T, false>;
    await setTimeout(2);
  }
}
