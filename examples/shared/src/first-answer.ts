import { setTimeout as delay } from 'node:timers/promises';

/** What of a store is enough to know whether it answers. */
interface Answering {
  inspect(key: string): unknown;
}

/** Milliseconds that a client may take to connect. */
const PATIENCE = 1_000;

/**
 * Waits until a store answers, so that the first requests are counted where all others are. It need not: limits hold
 * without it.
 *
 * @throws why it has not answered for a second
 */
export async function firstAnswer(store: Answering): Promise<void> {
  const started = performance.now();
  for (;;) {
    try {
      await store.inspect('start');
      return;
    } catch (error) {
      if (performance.now() - started > PATIENCE) throw error;
      await delay(50);
    }
  }
}
