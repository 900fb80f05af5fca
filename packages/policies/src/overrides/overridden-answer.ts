import type { Answer, ChargeVisitor, OnStoreFailure, Outcome, Receipt } from '@sluice/core/internal';
import { overriddenOutcome, waitingOutcome, type Fits, type InForce } from './in-force.js';

/** An answer whose outcomes say which overrides have decided. It makes no receipts before they are read, as the one it has. */
export class OverriddenAnswer implements Answer {
  readonly outcomes: readonly Outcome[];
  readonly source: Answer['source'];
  declare readonly sentAt?: number;
  declare readonly fallback?: OnStoreFailure;
  declare readonly untouched?: true;
  readonly #answer: Answer;

  constructor(answer: Answer, inForce: InForce, fits: Fits | undefined) {
    const { outcomes, source, sentAt, fallback, untouched } = answer;
    const outcomesInForce = new Array<Outcome>(outcomes.length);
    for (let place = 0; place < outcomes.length; place += 1) {
      const outcome = overriddenOutcome(outcomes[place]!, inForce, fits);
      outcomesInForce[place] = fits === undefined ? outcome : waitingOutcome(outcome, fits);
    }
    this.outcomes = outcomesInForce;
    this.source = source;
    if (sentAt !== undefined) this.sentAt = sentAt;
    if (fallback !== undefined) this.fallback = fallback;
    if (untouched !== undefined) this.untouched = untouched;
    this.#answer = answer;
  }

  get receipts(): readonly Receipt[] {
    return this.#answer.receipts;
  }

  visitCharges(visit: ChargeVisitor): void {
    if (this.#answer.visitCharges !== undefined) this.#answer.visitCharges(visit);
    else for (const { tier, units } of this.receipts) visit(tier, units);
  }
}
