import { algorithmOf } from '../../../packages/core/src/algorithms/index.js';
import { candidate, consumeGroup, peekGroup } from '../../../packages/core/src/algorithms/group.js';
import type { Receipt } from '../../../packages/core/src/model/receipt.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import type { Group } from './redis-twin.js';

/** The TypeScript twin over states that never expire. */
export class MemoryTwin {
  readonly #states = new Map<string, unknown>();

  consume({ claims, peek }: Group, now: number): Ruling[] {
    const candidates = claims.map((claim) => candidate(claim, this.#states.get(claim.key)));
    if (peek) peekGroup(candidates, now);
    else consumeGroup(candidates, now);
    for (const { claim, changed, state } of candidates) if (changed) this.#states.set(claim.key, state);
    return candidates.map(({ ruling }) => ruling!);
  }

  refund({ key, policy, units, at, until }: Receipt, now: number): number {
    const stored = this.#states.get(key);
    if (stored === undefined) return 0;
    const ticks = Math.floor(now / policy.tick);
    const { state, given } = algorithmOf(policy).refund(stored, ticks, policy, { units, at, until });
    if (given > 0) this.#states.set(key, state);
    return given;
  }

  forget(key: string): void {
    this.#states.delete(key);
  }

  /** For messages. */
  show(key: string): string {
    return JSON.stringify(this.#states.get(key));
  }
}
