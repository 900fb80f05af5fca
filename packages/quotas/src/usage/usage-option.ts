// usage/ counts the units of each hour for billing, and exports them. Charged claims enter, and rows of usage leave. It
// imports no other room.
import { FEATURE, type FeatureValue, type PolicyValue, type TierFeature } from '@sluice/core/internal';
import { checkCounts, usageLayer } from './counted.js';
import { countedPolicy } from './counted-policy.js';

const feature: TierFeature<'usage'> = {
  form: FEATURE,
  name: 'usage',
  check: (tiers, { store }) => checkCounts(tiers, store),
  layer: (_tiers, { store }) => usageLayer(store),
};

/** What `usage()` returns. */
export type CountedUsage = FeatureValue<'usage'>;

const value = Object.freeze({ feature, policyOf: countedPolicy } satisfies CountedUsage & PolicyValue);

/**
 * Counts the units of a tier by hours, for `usageOf` and `exportUsage`: the option `usage` of a tier.
 *
 * @example usage: usage()
 */
export function usage(): CountedUsage {
  return value;
}
