import type { Outcome } from '../../model/outcome.js';
import type { TierInfo } from './claim-set.js';

/** A limit of 0 denies every request that costs anything, unless it is in shadow. */
export function zeroLimitOutcome({ name, policy }: TierInfo, cost: number, shadow: boolean): Outcome {
  const allowed = cost === 0;
  return {
    tier: name,
    allowed,
    never: !allowed,
    shadow,
    limit: 0,
    remaining: 0,
    retryAfter: allowed ? 0 : Infinity,
    replenishAfter: 0,
    resetAfter: 0,
    delay: 0,
    ...(policy.kind === 'running' && { held: true }),
  };
}
