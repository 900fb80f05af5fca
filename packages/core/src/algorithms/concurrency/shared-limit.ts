import type { FeatureValue } from '../../model/feature.js';
import type { OptionReader } from '../../options/option-reader.js';
import type { PermitPolicy } from './permit-policy.js';

/** What `fairBy()` of `@sluice/overload/fair` returns, and a caller of it: callers share the limit. */
export interface SharedLimit extends FeatureValue<'fair'> {
  /** The policy of the caller. @throws ConfigError for a limit that callers cannot share */
  shared(policy: PermitPolicy, options: OptionReader): PermitPolicy;
}
