import { warn } from '../events/warning.js';
import { processWide } from '../model/process-wide.js';

/**
 * Limiters in a row that served one turn only. An application that creates one for each tenant, when its first request
 * arrives, uses one of them again before that.
 */
const MAX_SINGLE_USES = 100;

const singleUses = processWide('single-uses', () => ({ count: 0 }));

/** Warns of limiters that are created for one request each: a new limiter has counted nothing, so it denies no client. */
export class LimiterPerRequestCheck {
  #isNew = true;
  #isUsed = false;

  constructor() {
    // A request uses the limiter that it creates in the same turn, or in promises that resolve in it.
    setImmediate(() => {
      this.#isNew = false;
    });
  }

  /** Notes a use. False when no later use changes the result. */
  isPending(): boolean {
    if (this.#isNew) {
      if (!this.#isUsed) countSingleUse();
      this.#isUsed = true;
      return true;
    }
    if (this.#isUsed) singleUses.count = 0;
    return false;
  }
}

function countSingleUse(): void {
  singleUses.count += 1;
  if (singleUses.count < MAX_SINGLE_USES) return;
  warn(
    'SLUICE_LIMITER_PER_REQUEST',
    `limiter: ${MAX_SINGLE_USES} limiters in a row were created by a request and used by it alone. A new limiter has counted nothing, so it denies no client. Create it once, outside the handler: const limit = rateLimit({ … }); app.use(limit)`,
  );
}
