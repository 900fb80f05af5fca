import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Receipt } from '../../model/receipt.js';
import type { Ruling } from '../../model/ruling.js';
import { receiptsOf, toOutcome } from '../answer.js';
import type { Answer, ChargeVisitor } from '../store.js';

/**
 * The answer of a memory store to a limiter, about rates. It makes receipts when they are read, because most requests are never
 * corrected. A spread of it has none: stores of applications get plain answers.
 */
export class DecidedAnswer implements Answer {
  readonly outcomes: Outcome[];
  readonly source = 'memory';
  readonly #group: readonly Claim[];
  readonly #now: number;
  readonly #rulings: Ruling[];
  #receipts: readonly Receipt[] | undefined;

  /**
   * `decide` is then called for each claim, in their order.
   *
   * @param now microseconds
   */
  constructor(group: readonly Claim[], now: number) {
    // Of their final length: an array that grows reserves room for 16 more.
    this.outcomes = new Array<Outcome>(group.length);
    this.#rulings = new Array<Ruling>(group.length);
    this.#group = group;
    this.#now = now;
  }

  decide(index: number, ruling: Ruling): void {
    this.outcomes[index] = toOutcome(this.#group[index]!, ruling);
    this.#rulings[index] = ruling;
  }

  /** Calls back for each claim that was charged, and makes no receipt of it. */
  visitCharges(visit: ChargeVisitor): void {
    for (let index = 0; index < this.#group.length; index += 1) {
      const { charged } = this.#rulings[index]!;
      if (charged > 0) visit(this.#group[index]!.tier, charged);
    }
  }

  /** One for each claim that was charged. */
  get receipts(): readonly Receipt[] {
    return (this.#receipts ??= receiptsOf(this.#group, this.#rulings, this.#now));
  }
}
