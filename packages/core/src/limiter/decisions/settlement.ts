import type { Claim } from '../../model/claim.js';
import type { Decision } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import type { Receipt } from '../../model/receipt.js';
import type { Charges } from './charged-decision.js';

/** The real cost of a request, for all tiers without a cost of their own; or the real cost of each tier that is named. */
export type Costs = number | Readonly<Record<string, number>>;

/** What it takes to put a reserved cost right. */
export interface Settlement {
  /** To be given back. */
  readonly less: readonly Receipt[];
  /** To be charged besides, whether it fits or not: at most up to full. */
  readonly more: readonly Claim[];
}

/** @throws UsageError for a number where every tier has a cost of its own: it would settle nothing */
export function settlementOf({ allowed, outcomes }: Decision, { asks, receipts }: Charges, costs: Costs): Settlement {
  if (typeof costs === 'number' && asks.length > 0 && asks.every(({ tier }) => tier.cost !== undefined)) {
    const named = asks.map(({ tier }) => tier.name).join(', ');
    throw new UsageError(
      'USAGE_INVALID',
      `settle: every tier has a cost of its own (${named}): name them, got ${costs}`,
    );
  }
  const less: Receipt[] = [];
  const more: Claim[] = [];
  for (const { tier, claim } of asks) {
    const receipt = receipts.find((each) => each.tier === tier.name);
    const fits = allowed && outcomes.some((outcome) => outcome.tier === tier.name && outcome.allowed);
    // A tier that was not charged because the request was denied, or because it only watches, has nothing to settle.
    if (claim === undefined || !(receipt || fits)) continue;
    const cost = costOf(tier, costs);
    const charged = receipt?.units ?? 0;
    if (cost === undefined || cost === charged) continue;
    if (receipt && cost < charged) less.push({ ...receipt, units: charged - cost });
    else more.push({ ...claim, cost: cost - charged, countDenied: true, record: undefined });
  }
  return { less, more };
}

function costOf(tier: { name: string; cost: unknown }, costs: Costs): number | undefined {
  if (typeof costs === 'number') return tier.cost === undefined ? costs : undefined;
  return Object.hasOwn(costs, tier.name) ? costs[tier.name] : undefined;
}
