import type { GroupRule } from '@sluice/core/internal';
import { type Asked, covers, isChargedBy, paymentOf, type Payment } from './covers.js';
import { paidOutcomes } from './outcomes.js';

/** Lets a balance pay in the place of the tiers that it covers. */
export const covering: GroupRule = {
  charges(group, waits) {
    const payment = paymentOf(group, waits);
    const areCharged = group.map((_, place) => isChargedBy(payment, group, place));
    const { isAdmitted, included } = payment;
    if (included === 0) return { isAdmitted, areCharged };
    return { isAdmitted, areCharged, parts: group.map((_, place) => partOf(payment, group, place)) };
  },

  tell: paidOutcomes,
};

/** The units of a claim that shares its cost with another one. */
function partOf({ payer, included }: Payment, group: readonly Asked[], place: number): number | undefined {
  if (place === payer) return group[place]!.cost! - included;
  return covers(group[payer!]!, group[place]!) ? included : undefined;
}
