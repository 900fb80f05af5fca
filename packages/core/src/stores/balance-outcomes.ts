import { isChargedBy, isCovering, paymentOf } from '../algorithms/balance/covers.js';
import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Ruling } from '../model/ruling.js';

/** What the tiers of a request say, and which balance pays. */
export interface PaidOutcomes {
  readonly outcomes: readonly Outcome[];
  /** The tier of the balance. */
  readonly paidBy?: string;
}

/** The outcome of a balance: no time changes what it denies, but a credit does. One that covers tiers never denies itself. */
export function balanceOutcome(outcome: Outcome, { policy, cost }: Claim, { charged }: Ruling): Outcome {
  const limit = outcome.remaining + charged;
  if (policy.covers !== undefined) return { ...outcome, limit, allowed: true, never: false, retryAfter: 0, held: true };
  return { ...outcome, limit, never: cost > policy.capacity };
}

/** Marks the tiers in whose place a balance pays. @param outcomes of the claims, by their rulings */
export function paidOutcomes(
  group: readonly Claim[],
  rulings: readonly Ruling[],
  outcomes: readonly Outcome[],
): PaidOutcomes {
  if (!group.some(isCovering)) return { outcomes };
  const payment = paymentOf(group, rulings);
  const { payer } = payment;
  if (payer === undefined) return { outcomes };
  const covered = outcomes.filter((outcome, index) => !outcome.allowed && !isChargedBy(payment, group[index]!));
  const waits = covered.map(({ retryAfter, resetAfter }) => (retryAfter === Infinity ? resetAfter : retryAfter));
  const renewsAfter = Math.max(0, ...waits);
  return {
    paidBy: payer.tier,
    outcomes: outcomes.map((outcome, index) => {
      if (group[index] === payer) return payingOutcome(outcome, renewsAfter);
      return covered.includes(outcome) ? coveredOutcome(outcome, payer.tier) : outcome;
    }),
  };
}

/** A balance that pays is used up by requests. */
function payingOutcome({ held: _held, ...outcome }: Outcome, renewsAfter: number): Outcome {
  return { ...outcome, replenishAfter: renewsAfter, resetAfter: renewsAfter };
}

function coveredOutcome(outcome: Outcome, coveredBy: string): Outcome {
  return { ...outcome, allowed: true, never: false, retryAfter: 0, held: true, coveredBy };
}
