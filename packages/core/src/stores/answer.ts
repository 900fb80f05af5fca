import type { Claim } from '../model/claim.js';
import type { Source } from '../model/decision.js';
import { toOutcome, type Outcome } from '../model/outcome.js';
import { toReceipt, type Receipt } from '../model/receipt.js';
import type { Ruling } from '../model/ruling.js';
import type { Answer } from './store.js';

/**
 * What a store says of a group of claims that were ruled on.
 *
 * @param now when, in microseconds of the store's clock
 * @param sentAt when the request was sent, in milliseconds of `performance.now()`
 */
export function toAnswer(
  group: readonly Claim[],
  rulings: readonly Ruling[],
  now: number,
  source: Source,
  sentAt?: number,
): Answer {
  const { outcomes, receipts } = group.length === 1 ? sayOne(group[0]!, rulings[0]!, now) : sayAll(group, rulings, now);
  return sentAt === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, sentAt };
}

type Said = Pick<Answer, 'outcomes' | 'receipts'>;

/** Most claims are alone, and an array that is written with what is in it is made fastest. */
function sayOne(claim: Claim, ruling: Ruling, now: number): Said {
  return { outcomes: [toOutcome(claim, ruling)], receipts: ruling.charged > 0 ? [toReceipt(claim, ruling, now)] : [] };
}

function sayAll(group: readonly Claim[], rulings: readonly Ruling[], now: number): Said {
  const outcomes: Outcome[] = [];
  const receipts: Receipt[] = [];
  for (let index = 0; index < group.length; index += 1) {
    const claim = group[index]!;
    const ruling = rulings[index]!;
    outcomes.push(toOutcome(claim, ruling));
    if (ruling.charged > 0) receipts.push(toReceipt(claim, ruling, now));
  }
  return { outcomes, receipts };
}
