import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { Outcome } from '../model/outcome.js';
import type { Override } from '../model/override.js';
import type { TierOverride } from './tier-override.js';

/** The claims of one request, where overrides decide instead of limits. */
export interface Overridden {
  readonly overridden: InForce;
}

/** What overrides have changed in the claims of a request. */
export interface InForce {
  readonly overrides: readonly TierOverride[];
  /** What the request asks of a tier by the limit of the tier, which decides when the override has ended. */
  ownClaims(override: TierOverride): ClaimSet;
}

/** When requests that are denied fit, by the overrides that end before: milliseconds since 1970, `Infinity` for never. */
export type FitTimes = ReadonlyMap<TierOverride, number>;

/** The overrides in claims. Undefined without one. */
export function inForceIn(claimSet: ClaimSet): InForce | undefined {
  return (claimSet as Partial<Overridden>).overridden;
}

/** Whether an override has ended, by the wall clock of this process. One whose clock is set back has it again. */
export function isOver({ until }: Override): boolean {
  return until !== undefined && Date.now() >= until;
}

/** The override of a tier. A loop, because a request has few. */
export function overrideIn({ overrides }: InForce, tier: string): TierOverride | undefined {
  for (let place = 0; place < overrides.length; place += 1) {
    if (overrides[place]!.tier.name === tier) return overrides[place];
  }
  return undefined;
}

/** An outcome that names its override, and waits for the end of the override where the limit of the tier then admits. */
export function overriddenOutcome(outcome: Outcome, inForce: InForce, fits: FitTimes | undefined): Outcome {
  const found = overrideIn(inForce, outcome.tier);
  if (found === undefined) return outcome;
  const fitsAt = fits?.get(found);
  if (fitsAt === undefined) return withOverride(outcome, found.reported);
  const never = fitsAt === Infinity;
  const retryAfter = never ? Infinity : Math.max(1, Math.ceil(fitsAt - Date.now()));
  return { ...outcome, never, retryAfter, override: found.reported };
}

/** By name, because a spread takes as long as the rest of a check in memory. */
function withOverride(outcome: Outcome, override: TierOverride['reported']): Outcome {
  if (outcome.held !== undefined) return { ...outcome, override };
  const { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay } = outcome;
  return { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay, override };
}
