import type { Charge, QuotaLayer, QuotaRoom } from '../limiter/quota-layer.js';
import type { Policy } from '../model/policy.js';
import { checkCoveredTiers, withCoveredCosts } from './credits/covered-tiers.js';
import { noticedPolicy } from './notices/noticed-policy.js';
import { withNotices } from './notices/notices.js';
import { checkCounts, counted } from './usage/counted.js';
import { countedPolicy } from './usage/counted-policy.js';

/** Credits, notices and usage, as tiers and limiters use them. */
export const quotaRoom: QuotaRoom = {
  noticed: noticedPolicy,
  counted: countedPolicy,
  completed: withCoveredCosts,

  check(tiers, context) {
    checkCoveredTiers(tiers, context);
    checkCounts(tiers, context.store);
  },

  layerOf(tiers, { store, onNotice }): QuotaLayer | undefined {
    const uses = (has: (policy: Policy) => unknown) => tiers.some(({ policy }) => has(policy));
    const wraps: ((charge: Charge) => Charge)[] = [];
    if (uses(({ usage }) => usage)) wraps.push((charge) => counted(store, charge));
    if (uses(({ marks }) => marks)) wraps.push((charge) => withNotices(charge, onNotice));
    const isUncached = uses(({ covers }) => covers);
    if (wraps.length === 0 && !isUncached) return undefined;
    return { isUncached, around: (charge) => wraps.reduce((inner, wrap) => wrap(inner), charge) };
  },
};
