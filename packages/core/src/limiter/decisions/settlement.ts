import { changedTerms, type Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import { admitsNothing } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { TierInfo } from '../claims/claim-set.js';
import { unitsOfEntry, type Entry } from './ledger.js';

/** Units for all tiers without a cost of their own, or units of each tier by name. */
export type Costs = number | Readonly<Record<string, number>>;

/** The corrections of a reserved cost. */
export interface Settlement {
  readonly refunds: readonly Receipt[];
  /** Charges, at most up to full and the overdraft. */
  readonly claims: readonly Claim[];
}

/** @throws UsageError for a number where every tier has a cost of its own: it would settle nothing */
export function checkSettlement(tiers: readonly Pick<TierInfo, 'name' | 'cost'>[], costs: Costs): void {
  if (typeof costs !== 'number' || tiers.length === 0 || tiers.some(({ cost }) => cost === undefined)) return;
  const names = tiers.map(({ name }) => name).join(', ');
  const message = `settle: every tier has a cost of its own (${names}): name them, got ${costs}`;
  throw new UsageError('USAGE_INVALID', message);
}

export function settlementOf(entries: readonly Entry[], costs: Costs): Settlement {
  const refunds: Receipt[] = [];
  const claims: Claim[] = [];
  for (const entry of entries) {
    const { claim, receipts, units } = entry;
    const cost = costOf(entry, costs);
    // What runs ends with its request, whatever that cost, and a limit of 0 has no units.
    if (cost === undefined || claim.policy.algorithm.endsWithRequest || admitsNothing(claim.policy)) continue;
    if (cost < units) refunds.push(...newest(receipts, units - cost));
    else if (cost > units) claims.push({ ...settlingClaim(claim), cost: cost - units });
  }
  return { refunds, claims };
}

/** What a refund gives back. @param most units of each tier, or of the tiers by name */
export function refundsOf(entries: readonly Entry[], most: Costs): readonly Receipt[] {
  return entries.flatMap((entry) =>
    newest(entry.receipts, typeof most === 'number' ? most : (unitsOfEntry(entry, most) ?? 0)),
  );
}

/** Takes so many units of receipts. The newest receipts come first, because time has given back least of their units. */
function newest(receipts: readonly Receipt[], most: number): readonly Receipt[] {
  const refunds: Receipt[] = [];
  let rest = most;
  for (const receipt of receipts.toReversed()) {
    const units = Math.min(rest, receipt.units);
    rest -= units;
    if (units > 0) refunds.push({ ...receipt, units });
  }
  return refunds.toReversed();
}

/** Charged in any case, into the overdraft of its tier. */
function settlingClaim(claim: Claim): Claim {
  const policy = claim.policy.settling ?? claim.policy;
  return { ...claim, policy, terms: changedTerms(claim.terms, { takesAll: true, charge: 'all' }), record: undefined };
}

function costOf(entry: Entry, costs: Costs): number | undefined {
  if (typeof costs === 'number') return entry.tier.cost === undefined ? costs : undefined;
  return unitsOfEntry(entry, costs);
}
