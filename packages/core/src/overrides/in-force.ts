import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { Outcome } from '../model/outcome.js';
import type { TierOverride } from './tier-override.js';

/** The claims of one request, where overrides decide instead of limits. */
export interface Overridden<Claims extends ClaimSet = ClaimSet> {
  readonly overridden: InForce<Claims>;
}

/** What overrides have changed in the claims of a request. */
export interface InForce<Claims extends ClaimSet = ClaimSet> {
  readonly overrides: readonly TierOverride[];
  /** The cost of the request fits the limit of the tier, if the tier has enough left. */
  fitsLater(override: TierOverride): boolean;
  /** The claims without the overrides that are over by now. */
  again(): Claims;
}

/** The overrides in claims. Undefined without one. */
export function inForceIn<Claims extends ClaimSet>(claimSet: Claims): InForce<Claims> | undefined {
  return (claimSet as Partial<Overridden<Claims>>).overridden;
}

/** The override of a tier. A loop, because a request has few. */
export function overrideIn({ overrides }: InForce, tier: string): TierOverride | undefined {
  for (let place = 0; place < overrides.length; place += 1) {
    if (overrides[place]!.probe.tier === tier) return overrides[place];
  }
  return undefined;
}

/** True if an override has an end that has not come. A loop, because a check in memory has no time for a closure. */
export function hasEnding({ overrides }: InForce): boolean {
  for (let place = 0; place < overrides.length; place += 1) if (overrides[place]!.entry.isEnding) return true;
  return false;
}

/** Overrides whose end has not come. */
export function endingIn({ overrides }: InForce): readonly TierOverride[] {
  return overrides.filter(({ entry }) => entry.isEnding);
}

/** A request that a lowered limit can never hold fits when the override has ended. */
export function overriddenOutcome(outcome: Outcome, inForce: InForce): Outcome {
  const found = overrideIn(inForce, outcome.tier);
  if (found === undefined) return outcome;
  const { entry, reported: override } = found;
  if (!outcome.never || override.until === undefined || !inForce.fitsLater(found))
    return withOverride(outcome, override);
  return { ...outcome, never: false, retryAfter: entry.timeLeft(), override };
}

/** By name, because a spread takes as long as the rest of a check in memory. */
function withOverride(outcome: Outcome, override: TierOverride['reported']): Outcome {
  if (outcome.held !== undefined) return { ...outcome, override };
  const { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay } = outcome;
  return { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay, override };
}
