import { bindingOf, isSilent, type Outcome, REQUESTS } from '@sluice/core/internal';
import type { ReportedTier } from './reported-tiers.js';

/** What is left of the tiers that count one unit. */
export interface UnitQuota {
  readonly unit: string;
  /** The outcome of these tiers that a client has to wait for, or that is closest to denying. */
  readonly binding: Outcome;
}

/** One quota for each unit, in the order of the tiers. */
export function unitQuotas(tiers: readonly ReportedTier[]): readonly UnitQuota[] {
  const bindings = new Map<string, Outcome>();
  for (const { policy, outcome } of tiers) {
    if (isSilent(outcome)) continue;
    const { unit = REQUESTS } = policy;
    const other = bindings.get(unit);
    bindings.set(unit, other ? bindingOf([other, outcome])! : outcome);
  }
  return Array.from(bindings, ([unit, binding]) => ({ unit, binding }));
}
