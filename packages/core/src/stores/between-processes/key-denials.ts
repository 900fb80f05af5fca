import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';

/** Costs of a key with an exact wait. */
const MAX_COSTS = 4;
/** Costs of a key that may ask the store until all denials have expired, so that a client of many costs makes no load. */
const MAX_ADDED = 16;

/** A denial of one cost. */
export interface Denial {
  readonly cost: number;
  readonly outcome: Outcome;
  /** The durations of the outcome count from then on. */
  readonly receivedAt: number;
  readonly expiresAt: number;
}

/** The denials of one key, by cost. A larger cost than a denied one is denied too, and waits at least as long. */
export class KeyDenials {
  readonly policy: Policy;
  /** The smallest cost first. */
  #denials: readonly Denial[] = [];
  #added = 0;

  constructor(policy: Policy) {
    this.policy = policy;
  }

  /**
   * What is known of a cost: undefined if it may fit, `'denied'` if it is denied for a time that the store must say. Only
   * a cost beyond the bounds of this cache gets a wait that is longer than it needs.
   */
  outcomeOf(cost: number, now: number): Outcome | 'denied' | undefined {
    let known = 0;
    let isDenied = false;
    let larger: Denial | undefined;
    for (let index = 0; index < this.#denials.length; index += 1) {
      const denial = this.#denials[index]!;
      if (now >= denial.expiresAt) continue;
      if (denial.cost === cost) return outcomeAt(denial, now);
      known += 1;
      if (denial.cost < cost) isDenied = true;
      else larger ??= denial;
    }
    if (!isDenied) return undefined;
    if (known < MAX_COSTS) return 'denied';
    if (larger !== undefined) return outcomeAt(larger, now);
    if (this.#added < MAX_ADDED) return 'denied';
    // Everything fits a full budget.
    const outcome = outcomeAt(this.#denials.at(-1)!, now);
    return { ...outcome, retryAfter: outcome.resetAfter };
  }

  /** Adds a denial, and drops those that have expired. */
  add(added: Denial): void {
    const { cost, receivedAt } = added;
    const others = this.#denials.filter((each) => each.cost !== cost && each.expiresAt > receivedAt);
    this.#added = others.length === 0 ? 1 : this.#added + 1;
    const denials = [...others, added].toSorted((one, other) => one.cost - other.cost);
    // The smallest cost proves most denials, and the largest bounds most waits.
    if (denials.length > MAX_COSTS) denials.splice(1, 1);
    this.#denials = denials;
  }
}

function outcomeAt({ outcome, receivedAt }: Denial, now: number): Outcome {
  const elapsed = Math.floor(now - receivedAt);
  return {
    ...outcome,
    retryAfter: remainingMs(outcome.retryAfter, elapsed),
    replenishAfter: remainingMs(outcome.replenishAfter, elapsed),
    resetAfter: remainingMs(outcome.resetAfter, elapsed),
  };
}

/** At least 1, because the store has not said that the time is over. */
function remainingMs(milliseconds: number, elapsed: number): number {
  return milliseconds === 0 ? 0 : Math.max(1, milliseconds - elapsed);
}
