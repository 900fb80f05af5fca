import type { Policy } from '@sluice/core/internal';

/** The same policy, whose units are counted by hours. */
export function countedPolicy(policy: Policy): Policy {
  const { settling } = policy;
  // What a settlement charges is counted as well.
  return Object.freeze({
    ...policy,
    usage: true,
    ...(settling && { settling: countedPolicy(settling) }),
  });
}
