import { algorithmOf } from '../../algorithms/index.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';

/**
 * The states in which keys are counted that there is no room for: those of one tier share one budget. Tiers that share
 * nothing in the table share nothing here: each prefix has its own, and each way of counting.
 */
export class Overflow {
  readonly #states = new Map<string, { policy: Policy; state: unknown }>();

  get size(): number {
    return this.#states.size;
  }

  /** The claim as it is decided here: on what its tier has together. */
  redirect(claim: Claim): Claim {
    return { ...claim, key: sharedKey(claim) };
  }

  stateFor({ key }: Owner): unknown {
    return this.#states.get(key)?.state;
  }

  /** @param now microseconds */
  write({ key, policy }: Owner, state: unknown, now: number): void {
    if (!this.#states.has(key)) this.#sweep(now);
    this.#states.set(key, { policy, state });
  }

  /** Where limits are functions, ways of counting come and go. */
  #sweep(now: number): void {
    for (const [key, { policy, state }] of this.#states) {
      if (algorithmOf(policy).expiresAt(state, policy) * policy.tick <= now) this.#states.delete(key);
    }
  }
}

/** What a state belongs to: a claim or a receipt. */
export interface Owner {
  readonly key: string;
  readonly policy: Policy;
}

/** The keys of limiters are printable, so that none of them begins like this. */
function sharedKey({ key, tier, policy }: Claim): string {
  // A limiter's prefix has no brace, and what follows it begins with one.
  const prefix = key.slice(0, Math.max(0, key.indexOf('{')));
  return ['\0overflow', prefix, tier, policy.dimensions].join('\0');
}
