import type { BesideKey, Policy } from '../../model/policy.js';

/** The same policy, whose units are counted by hours. */
export function countedPolicy(policy: Policy): Policy {
  const { settling, beside = [] } = policy;
  const keys: readonly BesideKey[] = [...beside, 'usage'];
  // What a settlement charges is counted as well.
  return Object.freeze({
    ...policy,
    usage: true,
    beside: keys,
    ...(settling && { settling: countedPolicy(settling) }),
  });
}
