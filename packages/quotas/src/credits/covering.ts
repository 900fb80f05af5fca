import type { GroupRule } from '@sluice/core/internal';
import { isChargedBy, paymentOf } from './covers.js';
import { paidOutcomes } from './outcomes.js';

/** Lets a balance pay in the place of the tiers that it covers. */
export const covering: GroupRule = {
  charges(group, waits) {
    const payment = paymentOf(group, waits);
    return { isAdmitted: payment.isAdmitted, areCharged: group.map((_, place) => isChargedBy(payment, group, place)) };
  },

  tell: paidOutcomes,
};
