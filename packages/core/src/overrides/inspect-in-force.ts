import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { Piped } from '../limiter/piped.js';
import type { Inspection } from '../model/inspection.js';
import { hearTime } from './decide-in-force.js';
import { endingIn, inForceIn, overriddenOutcome, overrideIn, type InForce } from './in-force.js';

/** What a store has of claims, by the overrides that are in force when it is read. */
export async function inspectInForce(
  piped: Pick<Piped<never>, 'direct' | 'store'>,
  claimSet: ClaimSet,
): Promise<readonly Inspection[]> {
  const { direct, store } = piped;
  const overridden = inForceIn(claimSet);
  if (overridden === undefined) return direct.inspect(claimSet);
  await hearTime(store, endingIn(overridden));
  const inspections = await direct.inspect(claimSet);
  if (areOver(overridden, inspections)) return inspectInForce(piped, overridden.again());
  return inspections.map((each) => overriddenInspection(each, overridden));
}

/** True if an override was over when the store was read. */
function areOver(inForce: InForce, inspections: readonly Inspection[]): boolean {
  for (const { outcome, readAt, key } of inspections) {
    // No store was read for a limit of 0.
    if (key !== '') overrideIn(inForce, outcome.tier)?.entry.hear(readAt, { sentAt: undefined, tick: 0 });
  }
  return inForce.overrides.some(({ entry }) => entry.isOver);
}

function overriddenInspection(inspection: Inspection, inForce: InForce): Inspection {
  const found = overrideIn(inForce, inspection.outcome.tier);
  if (found === undefined) return inspection;
  const { override } = found.entry;
  const outcome = overriddenOutcome(inspection.outcome, inForce);
  if (override.limit === null) {
    const free = { ...outcome, allowed: true, never: false, retryAfter: 0 };
    return { ...inspection, outcome: free, override, fitsAt: inspection.readAt };
  }
  if (!inspection.outcome.never || outcome.never) return { ...inspection, outcome, override };
  // A limit of 0 has no state, which the store would have read.
  const readAt = inspection.key === '' ? override.until! - outcome.retryAfter : inspection.readAt;
  return { ...inspection, outcome, override, readAt, fitsAt: override.until! };
}
