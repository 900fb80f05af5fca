import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { TierInfo } from './claim-set.js';

/** True for a limit that no request fits. A backoff of 0 admits a request, and blocks after it. */
export function isZeroLimit(limit: number | null, { algorithm }: Pick<Policy, 'algorithm'>): boolean {
  return limit === 0 && algorithm !== 'backoff';
}

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
