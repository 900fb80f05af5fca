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
export function checkSettlement({ tiers }: Charges, costs: Costs): void {
  if (typeof costs !== 'number' || tiers.length === 0 || tiers.some(({ cost }) => cost === undefined)) return;
  const names = tiers.map(({ name }) => name).join(', ');
  const message = `settle: every tier has a cost of its own (${names}): name them, got ${costs}`;
  throw new UsageError('USAGE_INVALID', message);
}

export function settlementOf(
  { allowed, outcomes }: Decision,
  { tiers, claims: claimed, receipts }: Charges,
  costs: Costs,
): Settlement {
  const refunds: Receipt[] = [];
  const claims: Claim[] = [];
  for (const claim of claimed) {
    // A permit ends with its request, whatever that cost.
    if (claim.policy.held) continue;
    const own = receipts.filter(({ tier }) => tier === claim.tier);
    const isAdmitted = allowed && outcomes.some((outcome) => outcome.tier === claim.tier && outcome.allowed);
    // A tier that was not charged, because the request was denied or the tier is a shadow, has nothing to settle.
    if (own.length === 0 && !isAdmitted) continue;
    const cost = costOf(
      tiers.find(({ name }) => name === claim.tier)!,
      costs,
    );
    const charged = own.reduce((sum, { units }) => sum + units, 0);
    if (cost === undefined || cost === charged) continue;
    if (cost < charged) refunds.push(...refundsOf(own, () => charged - cost));
    else claims.push({ ...settlingClaim(claim), cost: cost - charged });
  }
  return { refunds, claims };
}

/**
 * What receipts give back. Of the receipts of a tier the newest give first: time has given back least of them.
 *
 * @param most units of a tier
 */
export function refundsOf(receipts: readonly Receipt[], most: (tier: string) => number): readonly Receipt[] {
  const left = new Map<string, number>();
  const refunds: Receipt[] = [];
  for (const receipt of receipts.toReversed()) {
    const rest = left.get(receipt.tier) ?? most(receipt.tier);
    const units = Math.min(rest, receipt.units);
    left.set(receipt.tier, rest - units);
    if (units > 0) refunds.push({ ...receipt, units });
  }
  return refunds.toReversed();
}

/** Charged in any case, into the overdraft of its tier. */
function settlingClaim(claim: Claim): Claim {
  const { policy, localPolicy } = claim;
  const policies = {
    policy: policy.settling ?? policy,
    ...(localPolicy && { localPolicy: localPolicy.settling ?? localPolicy }),
  };
  return { ...claim, ...policies, takesAll: true, charge: 'all', record: undefined };
}

function costOf(tier: { name: string; cost: unknown }, costs: Costs): number | undefined {
  if (typeof costs === 'number') return tier.cost === undefined ? costs : undefined;
  return Object.hasOwn(costs, tier.name) ? costs[tier.name] : undefined;
}
