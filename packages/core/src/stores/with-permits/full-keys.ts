import type { Claim } from '../../model/claim.js';
import type { Answer } from '../../model/answer.js';
import { queues, type Waiting } from './permit-claims.js';

/** An answer is as old as a round trip. Later another process may have released a unit. */
const FRESH_MS = 1;

/**
 * Keys of which an admission has just taken the last unit: a check that is sent behind it is denied. The one that would have been
 * sent next pauses instead, which saves the store a decision for each admission of a line.
 */
export class FullKeys {
  readonly #clock: () => number;
  /** When the answer came, in milliseconds of the clock. */
  readonly #since = new Map<string, number>();

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** An admission, since whose check this process has released nothing. */
  note(group: readonly Claim[], { outcomes, fallback }: Answer): void {
    // This process alone knows what it has left, and its limit is another one.
    if (fallback !== undefined) return;
    for (const [place, { held, remaining }] of outcomes.entries()) {
      if (held === true && remaining === 0) this.#since.set(group[place]!.key, this.#clock());
    }
  }

  /** True once for a group of which a claim finds no unit. */
  take({ group, patience }: Waiting): boolean {
    if (this.#since.size === 0) return false;
    let isFull = false;
    for (const claim of group) {
      const since = this.#since.get(claim.key);
      if (since === undefined || !queues(claim, patience)) continue;
      this.#since.delete(claim.key);
      isFull ||= this.#clock() - since < FRESH_MS;
    }
    return isFull;
  }

  /** A unit was released. */
  forget(key: string): void {
    this.#since.delete(key);
  }
}
