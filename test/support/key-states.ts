import { candidate, consumeGroup, type peekGroup } from '../../packages/core/src/algorithms/group.js';
import { algorithmOf } from '../../packages/core/src/algorithms/algorithm.js';
import { renewing } from '../../packages/core/src/algorithms/renewing.js';
import type { Claim } from '../../packages/core/src/model/claim.js';
import type { Policy } from '../../packages/core/src/model/policy.js';
import type { Receipt } from '../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../packages/core/src/model/ruling.js';

/** The states of keys, which never expire: the algorithms over a plain Map. Times are microseconds. */
export class KeyStates {
  readonly #states = new Map<string, { readonly policy: Policy; readonly state: unknown }>();
  /** What features have beside states. */
  readonly numbers = new Map<string, readonly number[]>();

  /** @param decide `peekGroup` changes nothing */
  decide(claims: readonly Claim[], now: number, decide: typeof peekGroup = consumeGroup): Ruling[] {
    const candidates = claims.map((claim) => candidate(claim, this.state(claim.key), this.numbers));
    decide(candidates, now);
    for (const { claim, changed, state } of candidates) {
      if (changed) this.#states.set(claim.key, { policy: claim.policy, state });
    }
    return candidates.map(({ ruling }) => ruling!);
  }

  /** Returns the refunded units. */
  refund(receipt: Receipt, now: number): number {
    const { key, policy } = receipt;
    const stored = this.state(key);
    if (stored === undefined) return 0;
    const { state, given } = algorithmOf(policy).refund(stored, Math.floor(now / policy.tick), policy, receipt);
    if (given > 0) this.#states.set(key, { policy, state });
    return given;
  }

  /** Returns the units that had lapsed. */
  renew(receipt: Receipt, now: number): number {
    const { key, policy } = receipt;
    const ticks = Math.floor(now / policy.tick);
    const { state, lapsed } = renewing.of(policy)!.renew(this.state(key), ticks, policy, receipt);
    this.#states.set(key, { policy, state });
    return lapsed;
  }

  state(key: string): unknown {
    return this.#states.get(key)?.state;
  }

  forget(key: string): void {
    this.#states.delete(key);
    this.numbers.delete(key);
  }

  /** The number of keys. */
  get size(): number {
    return this.#states.size;
  }

  /** The keys whose states have expired. */
  expired(now: number): string[] {
    return [...this.#states]
      .filter(([, { policy, state }]) => algorithmOf(policy).expiresAt(state, policy) * policy.tick <= now)
      .map(([key]) => key);
  }
}
