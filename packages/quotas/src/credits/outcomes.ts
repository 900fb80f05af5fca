import type { Claim, Outcome, Ruling } from '@sluice/core/internal';
import { covers, isCovering } from './covers.js';

/** The outcome of a balance: no time changes what it denies, but a credit does. One that covers tiers never denies itself. */
export function balanceOutcome(outcome: Outcome, { policy, cost }: Claim, { charged }: Ruling): Outcome {
  const shown = { ...outcome, limit: outcome.remaining + charged, paid: charged > 0 };
  if (policy.covers !== undefined) return { ...shown, allowed: true, never: false, retryAfter: 0, held: true };
  return { ...shown, never: cost > policy.capacity };
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
): readonly Outcome[] {
  const payer = payerFor(group, rulings, outcomes);
  if (payer === undefined) return outcomes;
  const covered = outcomes.filter((outcome, index) => !outcome.allowed && covers(payer, group[index]!));
  const waits = covered.map(({ retryAfter, resetAfter }) => (retryAfter === Infinity ? resetAfter : retryAfter));
  const renewsAfter = Math.max(0, ...waits);
  return outcomes.map((outcome, index) => {
    if (group[index] === payer) return payingOutcome(outcome, renewsAfter);
    return covered.includes(outcome) ? coveredOutcome(outcome, payer.tier) : outcome;
  });
}

/** The first balance with which the request fits soonest. Tiers that no balance covers change nothing of the choice. */
function payerFor(
  group: readonly Claim[],
  rulings: readonly Ruling[],
  outcomes: readonly Outcome[],
): Claim | undefined {
  const denying = group.flatMap((claim, index) => {
    const { allowed, retryAfter } = outcomes[index]!;
    return allowed || claim.shadow ? [] : [{ claim, retryAfter }];
  });
  /** Of the tiers that still deny, longest first. */
  const waitsWith = (payer?: Claim) =>
    denying
      .filter(({ claim }) => payer === undefined || !covers(payer, claim))
      .map(({ retryAfter }) => retryAfter)
      .toSorted((one, other) => other - one);
  let payer: Claim | undefined;
  let shortest = waitsWith();
  for (const [index, claim] of group.entries()) {
    if (!isCovering(claim) || rulings[index]!.retryAfter !== 0) continue;
    const waits = waitsWith(claim);
    if (isShorter(waits, shortest)) [payer, shortest] = [claim, waits];
  }
  return payer;
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
