import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';

/** What a state belongs to: a claim or a receipt. */
export interface StateOwner {
  readonly key: string;
  readonly policy: Policy;
}

/**
 * States for keys without room in the table. The keys of one tier share one state, so that a flood of keys is limited
 * too. Each prefix and each way of counting has its own.
 */
export class Overflow {
  readonly #states = new Map<string, { policy: Policy; state: unknown }>();

  get size(): number {
    return this.#states.size;
  }

  /** The claim on the state that its tier shares. */
  redirect(claim: Claim): Claim {
    return { ...claim, key: sharedKey(claim) };
  }

  stateOf({ key }: StateOwner): unknown {
    return this.#states.get(key)?.state;
  }

  /** @param now microseconds */
  write({ key, policy }: StateOwner, state: unknown, now: number): void {
    if (!this.#states.has(key)) this.#expire(now);
    this.#states.set(key, { policy, state });
  }

  /** Limits that are functions bring new ways of counting all the time. */
  #expire(now: number): void {
    for (const [key, { policy, state }] of this.#states) {
      if (algorithmOf(policy).expiresAt(state, policy) * policy.tick <= now) this.#states.delete(key);
    }
  }
}

/** No key of a limiter begins like this one, because they are printable. */
function sharedKey({ key, tier, policy }: Claim): string {
  // A prefix has no brace, and a brace follows it.
  const prefix = key.slice(0, Math.max(0, key.indexOf('{')));
  return ['\0overflow', prefix, tier, policy.dimensions].join('\0');
}
