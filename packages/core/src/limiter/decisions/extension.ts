import { coveredBy } from '../../model/covering.js';
import { chargedFor, isUsedUp, type Claim } from '../../model/claim.js';
import type { Decision } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import { show } from '../../options/show.js';
import { unitsOfEntry, type Ledger } from './ledger.js';

/** Units to charge beside those of a decision, by the names of tiers. */
export type Extension = Readonly<Record<string, number>>;

/** @throws UsageError for units without names */
export function checkExtension(extension: unknown): asserts extension is Extension {
  if (typeof extension === 'object' && extension !== null) return;
  const rule = 'units must name tiers, such as { tokens: 256 }';
  throw new UsageError('USAGE_INVALID', `extend: ${rule}, got ${show(extension)}`);
}

/**
 * @param names tiers whose units are to grow
 * @throws UsageError for a request that was denied or has ended, and for tiers that charge nothing while it runs
 */
export function checkGrows(owner: string, decision: Decision, ledger: Ledger, names: readonly string[]): void {
  if (!decision.allowed || ledger.isSpent) {
    throw new UsageError('USAGE_INVALID', `${owner} takes an allowed decision that was not settled or refunded`);
  }
  const fixed = ledger.claimSet.claims.find((claim) => !isUsedUp(claim) && names.includes(claim.tier));
  if (fixed === undefined) return;
  const reason = fixed.policy.algorithm.endsWithRequest
    ? 'gives permits, which do not grow'
    : 'charges no admitted request';
  throw new UsageError('USAGE_INVALID', `${owner}: tier "${fixed.tier}" ${reason}: leave it out`);
}

/** The claims of an extension. A tier that the request was not charged to has none. */
export function extensionClaims(ledger: Ledger, extension: Extension): readonly Claim[] {
  return ledger.entries().flatMap((entry) => {
    const { claim } = entry;
    const units = unitsOfEntry(entry, extension) ?? 0;
    if (units === 0) return [];
    // The tiers that a balance has paid for are not charged, so that it pays whether they deny or not.
    const policy = coveredBy(claim.policy) === undefined ? claim.policy : claim.policy.settling!;
    return [chargedFor({ ...claim, cost: capped(units, claim), record: undefined, policy }, 'admitted')];
  });
}

function capped(units: number, { terms, policy }: Claim): number {
  return terms?.takesAll === true ? Math.min(units, policy.capacity) : units;
}
