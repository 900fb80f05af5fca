import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Receipt } from '../model/receipt.js';
import type { Ruling } from '../model/ruling.js';
import { toOutcome, toReceipt } from './answer.js';
import type { Answer } from './store.js';

/** Numbers of a charge: its units, and the ticks until the budget is full. */
const WIDTH = 2;

/**
 * The answer of a memory store to a limiter, about rates. It makes receipts when they are read, because most requests are never
 * corrected. A spread of it has none: stores of applications get plain answers.
 */
export class DecidedAnswer implements Answer {
  readonly outcomes: Outcome[];
  readonly source = 'memory';
  readonly #group: readonly Claim[];
  readonly #now: number;
  readonly #charges: number[];
  #receipts: readonly Receipt[] | undefined;

  /**
   * `decide` is then called for each claim, in their order.
   *
   * @param now microseconds
   */
  constructor(group: readonly Claim[], now: number) {
    // Of their final length: an array that grows reserves room for 16 more.
    this.outcomes = new Array<Outcome>(group.length);
    this.#charges = new Array<number>(group.length * WIDTH);
    this.#group = group;
    this.#now = now;
  }

  decide(index: number, ruling: Ruling): void {
    this.outcomes[index] = toOutcome(this.#group[index]!, ruling);
    this.#charges[index * WIDTH] = ruling.charged;
    this.#charges[index * WIDTH + 1] = ruling.resetAfter;
  }

  /** One for each claim that was charged. */
  get receipts(): readonly Receipt[] {
    return (this.#receipts ??= this.#group.flatMap((claim, index) => {
      const charged = this.#charges[index * WIDTH]!;
      const resetAfter = this.#charges[index * WIDTH + 1]!;
      return charged === 0 ? [] : toReceipt(claim, { charged, resetAfter }, this.#now);
    }));
  }
}
