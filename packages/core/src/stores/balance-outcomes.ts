import { covers, isCovering } from '../algorithms/balance/covers.js';
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

/**
 * Marks the tiers in whose place a balance pays. Where other tiers deny too, these are those in whose place it would pay: the
 * request waits for the others alone.
 *
 * @param outcomes of the claims, by their rulings
 */
export function paidOutcomes(
  group: readonly Claim[],
  rulings: readonly Ruling[],
  outcomes: readonly Outcome[],
): PaidOutcomes {
  if (!group.some(isCovering)) return { outcomes };
  const { payer, waits: others } = paymentFor(group, rulings, outcomes);
  if (payer === undefined) return { outcomes };
  const covered = outcomes.filter((outcome, index) => !outcome.allowed && covers(payer, group[index]!));
  const waits = covered.map(({ retryAfter, resetAfter }) => (retryAfter === Infinity ? resetAfter : retryAfter));
  const renewsAfter = Math.max(0, ...waits);
  return {
    ...(others.length === 0 && { paidBy: payer.tier }),
    outcomes: outcomes.map((outcome, index) => {
      if (group[index] === payer) return payingOutcome(outcome, renewsAfter);
      return covered.includes(outcome) ? coveredOutcome(outcome, payer.tier) : outcome;
    }),
  };
}

interface Payment {
  /** Undefined where no balance pays for a tier that denies. */
  readonly payer: Claim | undefined;
  /** Of the tiers that deny then, longest first. */
  readonly waits: readonly number[];
}

/** The first balance with which the request fits soonest. Tiers that no balance covers change nothing of the choice. */
function paymentFor(group: readonly Claim[], rulings: readonly Ruling[], outcomes: readonly Outcome[]): Payment {
  const denying = group.flatMap((claim, index) => {
    const { allowed, retryAfter } = outcomes[index]!;
    return allowed || claim.shadow ? [] : [{ claim, retryAfter }];
  });
  const waitsWith = (payer?: Claim) =>
    denying
      .filter(({ claim }) => payer === undefined || !covers(payer, claim))
      .map(({ retryAfter }) => retryAfter)
      .toSorted((one, other) => other - one);
  let best: Payment = { payer: undefined, waits: waitsWith() };
  for (const [index, claim] of group.entries()) {
    if (!isCovering(claim) || rulings[index]!.retryAfter !== 0) continue;
    const waits = waitsWith(claim);
    if (isShorter(waits, best.waits)) best = { payer: claim, waits };
  }
  return best;
}

function isShorter(waits: readonly number[], others: readonly number[]): boolean {
  const place = others.findIndex((wait, index) => wait !== waits[index]);
  return place >= 0 && (place >= waits.length || waits[place]! < others[place]!);
}

/** A balance that pays is used up by requests. */
function payingOutcome({ held: _held, ...outcome }: Outcome, renewsAfter: number): Outcome {
  return { ...outcome, replenishAfter: renewsAfter, resetAfter: renewsAfter };
}

function coveredOutcome(outcome: Outcome, coveredBy: string): Outcome {
  return { ...outcome, allowed: true, never: false, retryAfter: 0, held: true, coveredBy };
}
