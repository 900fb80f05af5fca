import { setTimeout } from 'node:timers/promises';

/** More than anything takes on a busy machine, and less than the time limit of a test. */
const MAX_WAIT_MS = 10_000;

/** Polls a condition until it holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error('the condition did not hold in time');
    await setTimeout(2);
  }
}
