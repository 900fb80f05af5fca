import { warn } from './warning.js';

/**
 * Limiters in a row that served one turn only. An application that creates one for each tenant, when its first request
 * arrives, uses one of them again before that.
 */
const MAX_SINGLE_USES = 100;

const singleUses = { limiter: 0, shedder: 0 };

/** What is created once, and why: a new one knows nothing of earlier requests. */
const ENDS = {
  limiter:
    'A new limiter has counted nothing, so it denies no client. Create it once, outside the handler: const limit = rateLimit({ … }); app.use(limit)',
  shedder:
    'A new shedder has measured nothing, so it refuses no request. Create it once, outside the handler: const shed = shedder({ … })',
} as const;

/** Warns of limiters or shedders that are created for one request each. */
export class PerRequestCheck {
  readonly #kind: keyof typeof ENDS;
  #isNew = true;
  #isUsed = false;

  constructor(kind: keyof typeof ENDS) {
    this.#kind = kind;
    // A request uses what it creates in the same turn, or in promises that resolve in it.
    setImmediate(() => {
      this.#isNew = false;
    });
  }

  /** Notes a use. False when no later use changes the result. */
  isPending(): boolean {
    if (this.#isNew) {
      if (!this.#isUsed) countSingleUse(this.#kind);
      this.#isUsed = true;
      return true;
    }
    if (this.#isUsed) singleUses[this.#kind] = 0;
    return false;
  }
}

function countSingleUse(kind: keyof typeof ENDS): void {
  singleUses[kind] += 1;
  if (singleUses[kind] < MAX_SINGLE_USES) return;
  warn(
    'SLUICE_LIMITER_PER_REQUEST',
    `${kind}: ${MAX_SINGLE_USES} ${kind}s in a row were created by a request and used by it alone. ${ENDS[kind]}`,
    kind,
  );
}
