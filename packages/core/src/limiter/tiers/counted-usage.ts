import type { FeatureValue } from '../../model/feature.js';
import type { Policy } from '../../model/policy.js';

/** What `usage()` of `@sluice/quotas` returns. */
export type CountedUsage = FeatureValue<'usage'>;

/** The same, as policies use it. */
export interface UsageValue extends CountedUsage {
  /** The same policy, whose units are counted by hours. */
  counted(policy: Policy): Policy;
}
