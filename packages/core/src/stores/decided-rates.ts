import type { Kernel } from '../algorithms/kernel.js';
import type { Claim, SlotHint } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Policy } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import type { Answer, ChargeVisitor } from '../model/answer.js';

/** What a request asks of a tier, beside its key. A claim says it, too. */
export interface Rate extends Pick<Claim, 'tier' | 'policy' | 'shadow'> {
  /** Units. Undefined where the request says it. */
  readonly cost: number | undefined;
  /** @default that of the policy */
  readonly kernel?: Kernel;
  /** The number that the store has for the policy. @default the policy has one while keys have states of it */
  readonly number?: number;
  /** Where tiers count side by side: slots behind that of the first tier, whose key is the key of all of them. @default 0 */
  readonly offset?: number;
}

/** A store that decides rates in place. */
export interface RateStore {
  /** The number of a policy that many keys will have. */
  pin(policy: Policy): number;
  /**
   * Lets the tiers of a plan count side by side, with one key for an identity.
   *
   * @param ends of their store keys behind the digest
   * @returns false where each tier has a key of its own
   */
  join(ends: readonly string[]): boolean;
  /** Makes the answer to a request of fixed rates. @returns false where claims must decide it: nothing has changed then */
  check(rates: readonly Rate[], request: DecidedRates): boolean;
}

const UNDECIDED: Outcome[] = [];

/**
 * A request of rates, of which a memory store makes the answer. It remembers what the request was about, and makes receipts
 * when they are read, because few decisions are ever corrected. A spread of it has none: stores of applications get plain
 * answers.
 */
export abstract class DecidedRates implements Answer {
  readonly #rates: readonly Rate[];
  /** Units that the request asks of each tier without a cost of its own. */
  readonly cost: number;
  /** When it was decided, in microseconds. */
  now = 0;
  outcomes = UNDECIDED;
  /** Ticks until the budget of each tier is full. Those of a lone tier without an array. */
  resets: number | number[] = 0;

  constructor(rates: readonly Rate[], cost: number) {
    this.#rates = rates;
    this.cost = cost;
  }

  /** Where the store holds the state of a tier. */
  abstract keyAt(index: number): SlotHint;

  get source(): 'memory' {
    return 'memory';
  }

  /** One for each tier that was charged. */
  get receipts(): readonly Receipt[] {
    const count = this.#countCharged();
    // Of its final length: an array that grows reserves room for 16 more.
    const receipts = new Array<Receipt>(count);
    for (let index = 0, next = 0; next < count; index += 1) {
      const units = this.#unitsAt(index);
      if (units === 0) continue;
      const { tier, policy } = this.#rates[index]!;
      const at = Math.floor(this.now / policy.tick);
      const until = at + (typeof this.resets === 'number' ? this.resets : this.resets[index]!);
      receipts[next] = { tier, key: this.keyAt(index).storeKey, policy, units, at, until };
      next += 1;
    }
    return receipts;
  }

  /** Calls back for each tier that was charged, and makes no receipt of it. */
  visitCharges(visit: ChargeVisitor): void {
    if (this.#countCharged() === 0) return;
    for (let index = 0; index < this.outcomes.length; index += 1) {
      const units = this.#unitsAt(index);
      if (units > 0) visit(this.#rates[index]!.tier, units);
    }
  }

  /** The tiers that were charged: all that admit, if none of those that are enforced denies. */
  #countCharged(): number {
    let count = 0;
    for (let index = 0; index < this.outcomes.length; index += 1) {
      const { allowed, shadow } = this.outcomes[index]!;
      if (!allowed && !shadow) return 0;
      if (this.#unitsAt(index) > 0) count += 1;
    }
    return count;
  }

  /** What a tier is charged if the request is admitted. */
  #unitsAt(index: number): number {
    return this.outcomes[index]!.allowed ? (this.#rates[index]!.cost ?? this.cost) : 0;
  }
}
