import { type ClaimSet, denies, type Outcome, type Override, type TierDefinition } from '@sluice/core/internal';

/** An override in the place of the limit of a tier. */
export interface TierOverride {
  readonly override: Override;
  readonly tier: TierDefinition<never>;
  /** For `override` of an outcome. */
  readonly reported: NonNullable<Outcome['override']>;
}

/** What overrides have changed in the claims of a request. */
export interface InForce {
  readonly overrides: readonly TierOverride[];
  /** What the request asks of a tier by the limit of the tier, which decides when the override has ended. */
  ownClaims(override: TierOverride): ClaimSet;
}

/** When a request that is denied fits, by the overrides that end before: milliseconds since 1970, `Infinity` for never. */
export interface Fits {
  /** By tiers that deny until their override ends. */
  readonly tiers: ReadonlyMap<TierOverride, number>;
  /** By all tiers. */
  readonly fitsAt: number;
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
export function overriddenOutcome(outcome: Outcome, inForce: InForce, fits: Fits | undefined): Outcome {
  const found = overrideIn(inForce, outcome.tier);
  if (found === undefined) return outcome;
  const fitsAt = fits?.tiers.get(found);
  if (fitsAt === undefined) return withOverride(outcome, found.reported);
  return { ...outcome, ...waitUntil(fitsAt), override: found.reported };
}

/** The outcome of a tier that denies, with the wait for all tiers: one of them may deny after the end of its override. */
export function waitingOutcome(outcome: Outcome, { fitsAt }: Fits): Outcome {
  if (!denies(outcome) || outcome.hint === true) return outcome;
  const wait = waitUntil(fitsAt);
  return wait.retryAfter > outcome.retryAfter ? { ...outcome, ...wait } : outcome;
}

function waitUntil(fitsAt: number): Pick<Outcome, 'never' | 'retryAfter'> {
  const never = fitsAt === Infinity;
  return { never, retryAfter: never ? Infinity : Math.max(1, Math.ceil(fitsAt - Date.now())) };
}

/** By name, because a spread takes as long as the rest of a check in memory. */
function withOverride(outcome: Outcome, override: TierOverride['reported']): Outcome {
  if (outcome.held !== undefined) return { ...outcome, override };
  const { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay } = outcome;
  return { tier, allowed, never, shadow, limit, remaining, retryAfter, replenishAfter, resetAfter, delay, override };
}
