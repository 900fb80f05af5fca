import type { FeatureValue } from '../../model/feature.js';
import type { Policy } from '../../model/policy.js';

/** What `usage()` of `@sluice/core/quotas` returns. */
export interface CountedUsage extends FeatureValue {
  /** The same policy, whose units are counted by hours. */
  counted(policy: Policy): Policy;
}
