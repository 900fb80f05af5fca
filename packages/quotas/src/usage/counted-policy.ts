import type { Policy } from '@sluice/core/internal';

/** Tells policies apart that decide otherwise alike. */
const COUNTED = { text: 'usage' };

/** One for each algorithm, because policies of one shape are decided faster. */
const counted = new WeakMap<object, Policy['algorithm']>();

/** The same policy, whose units are counted by hours. */
export function countedPolicy(policy: Policy): Policy {
  const { algorithm, settling } = policy;
  const made = counted.get(algorithm) ?? { ...algorithm, facets: { ...algorithm.facets, usage: COUNTED } };
  counted.set(algorithm, made);
  // What a settlement charges is counted as well.
  return Object.freeze({ ...policy, algorithm: made, settling: settling && countedPolicy(settling) });
}
