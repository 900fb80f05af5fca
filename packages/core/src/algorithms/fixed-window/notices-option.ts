import type { FeatureValue } from '../../model/feature.js';
import type { FixedWindowPolicy } from './window-policy.js';

/** What `notices()` of `@sluice/core/quotas` returns. */
export interface Notices extends FeatureValue {
  /** Parts of the limit, in rising order. */
  readonly parts: readonly number[];
  /** The policy of a window that gives the notices. */
  noticed(window: FixedWindowPolicy): FixedWindowPolicy;
}
