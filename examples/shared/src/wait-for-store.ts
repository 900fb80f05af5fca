import { setTimeout as delay } from 'node:timers/promises';

/** The method of a store that fails while the store is unavailable. */
interface StartedStore {
  recorded(key: string): unknown;
}

const MAX_WAIT_MS = 1_000;

/**
 * Waits until a store replies, so that the first requests are counted in Redis. A server can also start without it.
 *
 * @throws the last error, if the store does not reply within a second
 */
export async function waitForStore(store: StartedStore): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await store.recorded('start');
      return;
    } catch (error) {
      if (performance.now() - startedAt > MAX_WAIT_MS) throw error;
      await delay(50);
    }
  }
}
