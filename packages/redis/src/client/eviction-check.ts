import { warn } from '@sluice/core/internal';
import { scripts } from '@sluice/core/scripts';
import type { RunScript } from './run-script.js';

/** Milliseconds before it looks again how the server evicts keys. An operator may change that. */
const INTERVAL_MS = 600_000;

/** Warns of a server that evicts keys: the client of an evicted key has its full limit again. */
export class EvictionCheck {
  readonly #run: RunScript;
  /** When to look, in milliseconds of `performance.now()`: every call asks. */
  dueAt = -Infinity;

  constructor(run: RunScript) {
    this.#run = run;
  }

  /** @param now milliseconds of `performance.now()` */
  look(now: number): void {
    this.dueAt = now + INTERVAL_MS;
    void this.#warn();
  }

  async #warn(): Promise<void> {
    const call = { script: scripts.eviction, keys: [], args: [] };
    try {
      const [maxMemory, policy] = (await this.#run(call, 'source')) as [number?, string?];
      if (policy === undefined || policy === 'noeviction' || Number(maxMemory) === 0) return;
      warn(
        'SLUICE_REDIS_EVICTION',
        `redisStore: Redis evicts keys when its memory is full (maxmemory-policy ${policy}), and the clients of evicted keys have their full limit again. Set maxmemory-policy noeviction, on a Redis that only serves limiters`,
      );
    } catch {
      // A limiter works without this check.
    }
  }
}
