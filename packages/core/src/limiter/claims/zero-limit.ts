import { definePolicy } from '../../algorithms/policy-options.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { TierInfo } from './claim-set.js';

/** True for a limit that no request fits. A backoff of 0 admits a request, and blocks after it. */
export function isZeroLimit(limit: number | null, { algorithm }: Pick<Policy, 'algorithm'>): boolean {
  return limit === 0 && algorithm.name !== 'backoff';
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
    ...(policy.algorithm.endsWithRequest && { held: true }),
  };
}

/** By the policy of the tier. */
const zeroPolicies = new WeakMap<Policy, Policy>();

/** A fixed window that has no room. */
export function zeroPolicyOf(policy: Policy): Policy {
  const known = zeroPolicies.get(policy);
  if (known !== undefined) return known;
  const one = definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1s' });
  const [tick, , , ...others] = one.numbers;
  const zero = { limit: 0, quota: 0, capacity: 0, window: policy.window, unit: policy.unit };
  const made = Object.freeze({ ...one, ...zero, numbers: [tick!, 0, 0, ...others] });
  zeroPolicies.set(policy, made);
  return made;
}
