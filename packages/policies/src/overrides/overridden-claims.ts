import {
  type Answer,
  chain,
  type ChangedClaims,
  type Inspection,
  type MaybePromise,
  type Peek,
} from '@sluice/core/internal';
import { fitTimes, forgetFits } from './fit-times.js';
import { overriddenOutcome, overrideIn, type Fits, type InForce } from './in-force.js';
import { OverriddenAnswer } from './overridden-answer.js';

/** What happens to the answers of claims that overrides have changed. */
export class OverriddenClaims implements ChangedClaims {
  readonly #inForce: InForce;

  constructor(inForce: InForce) {
    this.#inForce = inForce;
  }

  charged(answer: Answer, peek: Peek): MaybePromise<Answer> {
    forgetFits(answer, this.#inForce);
    return this.peeked(answer, peek);
  }

  peeked(answer: Answer, peek: Peek): MaybePromise<Answer> {
    const fits = fitTimes(answer.outcomes, this.#inForce, peek);
    return chain(fits, (each) => new OverriddenAnswer(answer, this.#inForce, each));
  }

  async inspected(inspections: readonly Inspection[], peek: Peek): Promise<readonly Inspection[]> {
    const outcomes = inspections.map(({ outcome }) => outcome);
    const fits = await fitTimes(outcomes, this.#inForce, peek);
    return inspections.map((each) => overriddenInspection(each, this.#inForce, fits));
  }
}

function overriddenInspection(inspection: Inspection, inForce: InForce, fits: Fits | undefined): Inspection {
  const found = overrideIn(inForce, inspection.outcome.tier);
  if (found === undefined) return inspection;
  const { override } = found;
  const outcome = overriddenOutcome(inspection.outcome, inForce, fits);
  if (override.limit === null) {
    const free = { ...outcome, allowed: true, never: false, retryAfter: 0 };
    return { ...inspection, outcome: free, override, fitsAt: inspection.readAt };
  }
  const fitsAt = fits?.tiers.get(found);
  return { ...inspection, outcome, override, ...(fitsAt !== undefined && { fitsAt: Math.ceil(fitsAt) }) };
}
