import { featuresIn, type Feature } from '../../model/feature.js';
import type { Layer } from '../../stores/layer.js';
import type { Store } from '../../stores/store.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';
import type { Tier } from './tier.js';
import type { Notice } from '../../events/events.js';

/** What a limiter does for the values of options that a program imports. Each facet is for those that need it. */
export interface TierFeature<Name extends string = string> extends Feature<Name> {
  /** The tiers with what they take of each other. @throws ConfigError */
  complete?<S>(tiers: readonly Tier<S>[]): readonly Tier<S>[];
  /** @throws ConfigError for tiers that do not go together, or that the store does not take */
  check?(
    tiers: readonly TierDefinition<never>[],
    context: Pick<TierContext<never>, 'store' | 'isPartitioned' | 'secret'>,
  ): void;
  /** True for tiers of which a denial of the past may be paid now, so that no cache answers. */
  isUncached?(tiers: readonly TierDefinition<never>[]): boolean;
  /** Set where its layer takes what a request brings of the denial before it: what to write in a limiter that began without it. */
  readonly insteadOfBrought?: string;
  /** What lies before the store of a plan with such tiers. Undefined where nothing does. */
  layer?(tiers: readonly TierDefinition<never>[], parts: LayerParts): Layer | undefined;
}

/** What a layer needs of a limiter. */
export interface LayerParts {
  readonly store: Store;
  readonly onNotice: OnNotice | undefined;
}

/** The features of the options of tiers, each once. */
export function featuresOf(tiers: readonly unknown[]): readonly TierFeature[] {
  return eachOnce(tiers.flatMap((tier) => featuresIn(Object(tier) as object)));
}

/** True if no cache may answer for a plan. */
export function areUncached(tiers: readonly TierDefinition<never>[]): boolean {
  return tiers.some(({ features }) => features.some((feature) => (feature as TierFeature).isUncached?.(tiers)));
}

/** The feature of a tier that takes what requests bring of their denials. */
export function bringing({ features }: TierDefinition<never>): TierFeature | undefined {
  return features.find((feature) => (feature as TierFeature).insteadOfBrought !== undefined);
}

/** The layers of the features of a plan: that of the last one has the answer last. */
export function layersOf(tiers: readonly TierDefinition<never>[], parts: LayerParts): readonly Layer[] {
  const features = eachOnce(tiers.flatMap((tier) => tier.features));
  return features.flatMap((feature) => feature.layer?.(tiers, parts) ?? []).toReversed();
}

/** Two copies of this package may have made values of one feature. Options cannot name limiters, so that they know no facet. */
function eachOnce(features: readonly Feature[]): readonly TierFeature[] {
  return [...new Map(features.map((feature) => [feature.name, feature as TierFeature])).values()];
}

/** Is called with a notice, in the process that has reached its mark. */
export type OnNotice = (notice: Notice) => unknown;
