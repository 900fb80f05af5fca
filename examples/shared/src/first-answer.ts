import { setTimeout as delay } from 'node:timers/promises';

/** The member of a store that shows whether it answers. */
interface Answering {
  inspect(key: string): unknown;
}

/** Milliseconds to wait for the first connection. */
const MAX_WAIT_MS = 1_000;

/**
 * Waits until a store answers, so that Redis counts the first requests too. This is optional: limits hold without it.
 *
 * @throws the reason, if the store has not answered within a second
 */
export async function firstAnswer(store: Answering): Promise<void> {
  const started = performance.now();
  for (;;) {
    try {
      await store.inspect('start');
      return;
    } catch (error) {
      if (performance.now() - started > MAX_WAIT_MS) throw error;
      await delay(50);
    }
  }
}
