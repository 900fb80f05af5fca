import type { Override } from '../../model/override.js';
import type { ClaimSet } from './claim-set.js';
import type { TierValues } from './tier-values.js';
import type { TierDefinition } from '../tiers/tier-definition.js';

/** What changes the claims of requests, as overrides do: `use` of a limiter attaches it. */
export interface ClaimChange {
  /** Returns what it changes in requests to these tiers, when their plan is compiled. It is undefined if nothing changes. */
  on(tiers: readonly TierDefinition<never>[]): TierChange | undefined;
  /** The overrides in force. */
  overrides(): readonly Override[];
}

/** The change of requests on the tiers of a plan. */
export interface TierChange {
  /** True if the claim on a tier is to change. Most requests pay for this call alone. @param place of the tier */
  isChanged(place: number, storeKey: string): boolean;
  /** The claims of a request in the place of those by the limits of the tiers. */
  claims(asked: AskedClaims): ClaimSet;
  /** The same for operators, who see what a tier has counted also while it does not apply. */
  shownClaims(asked: AskedClaims): ClaimSet;
}

/** What tiers ask of a request. */
export interface AskedClaims {
  readonly tiers: readonly TierDefinition<never>[];
  /** One for each tier. */
  readonly values: readonly TierValues[];
  readonly partition: string | undefined;
}
