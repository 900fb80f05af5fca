import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import { featuresIn, type Feature } from '../../model/feature.js';
import type { Answer, Store } from '../../stores/store.js';
import type { OnNotice } from '../on-notice.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';
import type { Tier } from './tier.js';

/** Charges claims. */
export type Charge = (claims: readonly Claim[], labels?: ReadonlyMap<string, string>) => MaybePromise<Answer>;

/** What a limiter does for the values of options that a program imports. Each facet is for those that need it. */
export interface TierFeature<Name extends string = string> extends Feature<Name> {
  /** The tiers with what they take of each other. @throws ConfigError */
  complete?<S>(tiers: readonly Tier<S>[]): readonly Tier<S>[];
  /** @throws ConfigError for tiers that do not go together, or that the store does not take */
  check?(tiers: readonly TierDefinition<never>[], context: Pick<TierContext<never>, 'store' | 'isPartitioned'>): void;
  /** What the tiers of a plan add to its charges. */
  layer?(tiers: readonly TierDefinition<never>[], parts: LayerParts): TierLayer;
}

/** What a layer needs of a limiter. */
export interface LayerParts {
  readonly store: Store;
  readonly onNotice: OnNotice | undefined;
}

export interface TierLayer {
  /** A denial of the past may be paid now: no cache answers. */
  readonly isUncached?: boolean;
  /** The same charge, which also does what the feature is for. */
  readonly around?: (charge: Charge) => Charge;
}

/** The features of the options of tiers, each once. */
export function featuresOf(tiers: readonly unknown[]): readonly TierFeature[] {
  return eachOnce(tiers.flatMap((tier) => featuresIn(Object(tier) as object)));
}

/** What the features of a plan add to its charges. */
export function layersOf(tiers: readonly TierDefinition<never>[], parts: LayerParts): readonly TierLayer[] {
  const features = eachOnce(tiers.flatMap((tier) => tier.features));
  return features.flatMap((feature) => feature.layer?.(tiers, parts) ?? []);
}

/** Two copies of this package may have made values of one feature. Options cannot name limiters, so that they know no facet. */
function eachOnce(features: readonly Feature[]): readonly TierFeature[] {
  return [...new Map(features.map((feature) => [feature.name, feature as TierFeature])).values()];
}
