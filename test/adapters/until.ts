import { setTimeout } from 'node:timers/promises';

/** Longer than anything takes on a busy machine, and less than a test may. */
const PATIENCE = 10_000;

/** Asks again until it holds: what comes after an answer has no other sign. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > PATIENCE) throw new Error('it has not come true');
    await setTimeout(2);
  }
}
