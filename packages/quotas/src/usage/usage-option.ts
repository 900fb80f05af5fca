// usage/ counts the units of each hour for billing, and exports them. Charged claims enter, and rows of usage leave. It
// imports no other room.
import { type CountedUsage, FEATURE, type TierFeature, type UsageValue } from '@sluice/core/internal';
import { checkCounts, usageLayer } from './counted.js';
import { countedPolicy } from './counted-policy.js';

const feature: TierFeature<'usage'> = {
  form: FEATURE,
  name: 'usage',
  check: (tiers, { store }) => checkCounts(tiers, store),
  layer: (_tiers, { store }) => usageLayer(store),
};

const value: UsageValue = Object.freeze({ feature, counted: countedPolicy });

/**
 * Counts the units of a tier by hours, for `usageOf` and `exportUsage`: the option `usage` of a tier.
 *
 * @example usage: usage()
 */
export function usage(): CountedUsage {
  return value;
}
