import type { ClaimSet, DirectPipeline, Inspection } from '@sluice/core/internal';
import { fitTimes } from './fit-times.js';
import { overriddenOutcome, overrideIn, type Fits, type InForce } from './in-force.js';

/** What a store has of claims, by the overrides in force. */
export async function overriddenInspections(
  direct: Pick<DirectPipeline<never>, 'inspect' | 'peek'>,
  claimSet: ClaimSet,
  inForce: InForce,
): Promise<readonly Inspection[]> {
  const inspections = await direct.inspect(claimSet);
  const outcomes = inspections.map(({ outcome }) => outcome);
  const fits = await fitTimes(outcomes, inForce, (own) => direct.peek(own));
  return inspections.map((each) => overriddenInspection(each, inForce, fits));
}

function overriddenInspection(inspection: Inspection, inForce: InForce, fits: Fits | undefined): Inspection {
  const found = overrideIn(inForce, inspection.outcome.tier);
  if (found === undefined) return inspection;
  const { override } = found;
  const outcome = overriddenOutcome(inspection.outcome, inForce, fits);
  if (override.limit === null) {
    const free = { ...outcome, allowed: true, never: false, retryAfter: 0 };
    return { ...inspection, outcome: free, override, fitsAt: inspection.readAt };
  }
  const fitsAt = fits?.tiers.get(found);
  return { ...inspection, outcome, override, ...(fitsAt !== undefined && { fitsAt: Math.ceil(fitsAt) }) };
}
