import type { Claim } from '../../model/claim.js';
import type { Decision } from '../../model/decision.js';
import { UsageError } from '../../model/errors.js';
import { show } from '../../options/option-reader.js';
import { zeroLimitOutcome, type TierInfo } from '../claims/claim-set.js';
import { TieredDecision, type Charges } from './tiered-decision.js';

/** Units to charge beside those of a decision, by the names of tiers. */
export type Extension = Readonly<Record<string, number>>;

/** @throws UsageError for units without names, and for a decision whose request does not run */
export function checkExtension(decision: Decision, extension: unknown): asserts extension is Extension {
  if (typeof extension !== 'object' || extension === null) {
    const rule = 'units must name tiers, such as { tokens: 256 }';
    throw new UsageError('USAGE_INVALID', `extend: ${rule}, got ${show(extension)}`);
  }
  checkRuns('extend', decision);
}

/** @throws UsageError for a decision of a request that was denied, or has ended */
export function checkRuns(owner: string, decision: Decision): void {
  if (decision.allowed && !TieredDecision.isSpent(decision)) return;
  throw new UsageError('USAGE_INVALID', `${owner} takes an allowed decision that was not settled or refunded`);
}

/** @throws UsageError for a tier whose units are held until the request ends */
export function checkNotHeld(owner: string, { claims }: Charges, tiers: readonly string[]): void {
  const held = claims.find(({ tier, policy }) => policy.held && tiers.includes(tier));
  if (held === undefined) return;
  throw new UsageError('USAGE_INVALID', `${owner}: tier "${held.tier}" gives permits, which do not grow: leave it out`);
}

/** The claims of an extension. Tiers that do not apply to the request have none. */
export function extensionClaims({ claims }: Charges, extension: Extension): readonly Claim[] {
  return claims.flatMap((claim) => {
    const units = unitsOf(claim.tier, extension);
    return units === 0
      ? []
      : [{ ...claim, cost: capped(units, claim), charge: 'admitted', record: undefined, trace: undefined }];
  });
}

/** The denial of an extension of a tier whose limit is 0. Undefined without one. */
export function zeroLimitDenial({ tiers, claims }: Charges, extension: Extension): Decision | undefined {
  const isZero = (tier: TierInfo) =>
    !tier.shadow && unitsOf(tier.name, extension) > 0 && !claims.some(({ tier: name }) => name === tier.name);
  const outcomes = tiers.filter(isZero).map((tier) => zeroLimitOutcome(tier, unitsOf(tier.name, extension)));
  return outcomes.length === 0 ? undefined : new TieredDecision({ outcomes, receipts: [], source: 'none' });
}

function unitsOf(tier: string, extension: Extension): number {
  return Object.hasOwn(extension, tier) ? extension[tier]! : 0;
}

function capped(units: number, { takesAll, policy }: Claim): number {
  return takesAll ? Math.min(units, policy.capacity) : units;
}
