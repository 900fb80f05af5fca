import {
  type Answer,
  type ChargeVisitor,
  type Claim,
  type Outcome,
  outcomesOf,
  type ReachedMark,
  type Receipt,
  receiptsOf,
  type Ruling,
} from '@sluice/core/internal';

/**
 * An answer of Redis to a limiter. It makes receipts when they are read, because most requests are never corrected. A spread
 * of it has none: applications get plain answers.
 */
export class RateAnswer implements Answer {
  readonly outcomes: readonly Outcome[];
  readonly source = 'redis';
  readonly sentAt: number;
  readonly #group: readonly Claim[];
  readonly #rulings: readonly Ruling[];
  /** Microseconds. */
  readonly #now: number;
  #receipts: readonly Receipt[] | undefined;

  constructor(group: readonly Claim[], rulings: readonly Ruling[], now: number, sentAt: number) {
    this.outcomes = outcomesOf(group, rulings);
    this.sentAt = sentAt;
    this.#group = group;
    this.#rulings = rulings;
    this.#now = now;
  }

  /** One for each claim that was charged. */
  get receipts(): readonly Receipt[] {
    return (this.#receipts ??= receiptsOf(this.#group, this.#rulings, this.#now));
  }

  /** Calls back for each claim that was charged, and makes no receipt of it. */
  visitCharges(visit: ChargeVisitor): void {
    for (let index = 0; index < this.#group.length; index += 1) {
      const { charged } = this.#rulings[index]!;
      if (charged > 0) visit(this.#group[index]!.tier, charged);
    }
  }
}

/** The same answer, for a program that may spread it. */
export function plainAnswer(
  { outcomes, receipts, source, sentAt }: RateAnswer,
  reached: readonly ReachedMark[] | undefined,
): Answer {
  return { outcomes, receipts, source, sentAt, ...(reached && { reached }) };
}
