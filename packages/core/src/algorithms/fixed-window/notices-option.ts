import type { FeatureValue } from '../../model/feature.js';
import type { FixedWindowPolicy } from './window-policy.js';

/** What `notices()` of `@sluice/quotas` returns. */
export interface Notices extends FeatureValue<'notices'> {
  /** Parts of the limit, in rising order. */
  readonly parts: readonly number[];
}

/** The same, as policies use it. */
export interface NoticesValue extends Notices {
  /** The policy of a window that gives the notices. */
  noticed(window: FixedWindowPolicy): FixedWindowPolicy;
}
