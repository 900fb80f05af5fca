import type { Claim } from '../../model/claim.js';
import type { Decision } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import type { Receipt } from '../../model/receipt.js';
import type { Charges } from './tiered-decision.js';

/** Units for all tiers without a cost of their own, or units of each tier by name. */
export type Costs = number | Readonly<Record<string, number>>;

/** The corrections of a reserved cost. */
export interface Settlement {
  readonly refunds: readonly Receipt[];
  /** Charges, at most up to full and the overdraft. */
  readonly claims: readonly Claim[];
}

/** @throws UsageError for a number where every tier has a cost of its own: it would settle nothing */
export function settlementOf(
  { allowed, outcomes }: Decision,
  { tiers, claims: claimed, receipts }: Charges,
  costs: Costs,
): Settlement {
  if (typeof costs === 'number' && tiers.length > 0 && tiers.every(({ cost }) => cost !== undefined)) {
    const names = tiers.map(({ name }) => name).join(', ');
    const message = `settle: every tier has a cost of its own (${names}): name them, got ${costs}`;
    throw new UsageError('USAGE_INVALID', message);
  }
  const refunds: Receipt[] = [];
  const claims: Claim[] = [];
  for (const claim of claimed) {
    const receipt = receipts.find(({ tier }) => tier === claim.tier);
    const isAdmitted = allowed && outcomes.some((outcome) => outcome.tier === claim.tier && outcome.allowed);
    // A tier that was not charged, because the request was denied or the tier is a shadow, has nothing to settle.
    if (!(receipt || isAdmitted)) continue;
    const cost = costOf(
      tiers.find(({ name }) => name === claim.tier)!,
      costs,
    );
    const charged = receipt?.units ?? 0;
    if (cost === undefined || cost === charged) continue;
    if (receipt && cost < charged) refunds.push({ ...receipt, units: charged - cost });
    else claims.push({ ...settlingClaim(claim), cost: cost - charged });
  }
  return { refunds, claims };
}

/** Charged in any case, into the overdraft of its tier. */
function settlingClaim(claim: Claim): Claim {
  const { policy, localPolicy } = claim;
  const policies = {
    policy: policy.settling ?? policy,
    ...(localPolicy && { localPolicy: localPolicy.settling ?? localPolicy }),
  };
  return { ...claim, ...policies, takesAll: true, countDenied: true, record: undefined };
}

function costOf(tier: { name: string; cost: unknown }, costs: Costs): number | undefined {
  if (typeof costs === 'number') return tier.cost === undefined ? costs : undefined;
  return Object.hasOwn(costs, tier.name) ? costs[tier.name] : undefined;
}
