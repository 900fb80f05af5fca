import { coveredBy, type Claim, type Outcome, type Reporting, type Ruling } from '@sluice/core/internal';
import { covers, isCovering, payerFor } from './covers.js';

/** A ruling on a balance. */
export type BalanceRuling = Ruling & {
  /** When units have ended last, since the last credit. */
  readonly ended?: number;
};

/** The outcome of a balance: no time changes what it denies, but a credit does. One that covers tiers never denies itself. */
export function balanceOutcome(outcome: Outcome, { policy, cost }: Claim, ruling: BalanceRuling): Outcome {
  const { charged } = ruling;
  const shown = { ...outcome, ...factsIn(ruling), limit: outcome.remaining + charged, paid: charged > 0 };
  if (coveredBy(policy) !== undefined) return { ...shown, allowed: true, never: false, retryAfter: 0, held: true };
  return { ...shown, never: cost > policy.capacity };
}

/** What the body of a denial says. No time brings units. */
export const reporting: Reporting = {
  denialOf: ({ facts }) => ({
    detail: () => `The balance has too few units for this request${endText(facts?.['ended'])} ${HELPS}`,
  }),

  // Whoever had credits wants to know why they do not pay, and where no time helps, credits do.
  addedTo(policy, { facts }, denying) {
    const covered = denying.filter(({ tier }) => coveredBy(policy)?.includes(tier));
    const helps = covered.some(({ retryAfter }) => retryAfter === Infinity) ? ` ${HELPS}` : '';
    const isDue = covered.length > 0 && (helps !== '' || facts?.['ended'] !== undefined);
    return isDue ? `The balance that pays for more has too few units${endText(facts?.['ended'])}${helps}` : undefined;
  },
};

const HELPS = 'Retrying helps when it has got more.';

function endText(ended: number | undefined): string {
  return ended === undefined ? '.' : `: units of it ended at ${new Date(ended).toISOString()}.`;
}

function factsIn({ ended }: BalanceRuling): Pick<Outcome, 'facts'> {
  return ended === undefined ? {} : { facts: { ended } };
}

/**
 * Marks the tiers in whose place a balance pays. Where other tiers deny too, these are those in whose place it would pay: the
 * request waits for the others alone.
 *
 * @param asAlone outcomes of the claims, by their rulings
 */
export function paidOutcomes(
  group: readonly Claim[],
  rulings: readonly Ruling[],
  asAlone: readonly Outcome[],
): readonly Outcome[] {
  const outcomes = payableOutcomes(group, asAlone);
  // Waits in milliseconds, as clients see them. The outcome of a balance that covers tiers never denies.
  const waits = outcomes.map(({ retryAfter, remaining }, index) => ({
    retryAfter: rulings[index]!.retryAfter === 0 ? 0 : retryAfter || Infinity,
    remaining,
  }));
  const place = payerFor(group, waits);
  if (place === undefined) return outcomes;
  const payer = group[place]!;
  const covered = outcomes.filter((outcome, index) => !outcome.allowed && covers(payer, group[index]!));
  const renewals = covered.map(({ retryAfter, resetAfter }) => (retryAfter === Infinity ? resetAfter : retryAfter));
  const renewsAfter = Math.max(0, ...renewals);
  return outcomes.map((outcome, index) => {
    if (group[index] === payer) return payingOutcome(outcome, renewsAfter);
    return covered.includes(outcome) ? coveredOutcome(outcome, payer.tier) : outcome;
  });
}

/** No time helps a cost above the limits that one balance covers, but a credit does. */
function payableOutcomes(group: readonly Claim[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const above = group.filter((_, index) => outcomes[index]!.never && !outcomes[index]!.shadow);
  const isPayable = group.some((balance) => isCovering(balance) && above.every((claim) => covers(balance, claim)));
  if (above.length === 0 || !isPayable) return outcomes;
  return outcomes.map((outcome) => (outcome.shadow ? outcome : { ...outcome, never: false }));
}

/** A balance that pays is used up by requests. */
function payingOutcome({ held: _held, ...outcome }: Outcome, renewsAfter: number): Outcome {
  return { ...outcome, replenishAfter: renewsAfter, resetAfter: renewsAfter };
}

function coveredOutcome(outcome: Outcome, payer: string): Outcome {
  return { ...outcome, allowed: true, never: false, retryAfter: 0, held: true, coveredBy: payer };
}
