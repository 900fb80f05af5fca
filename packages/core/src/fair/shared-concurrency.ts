import type { Algorithm } from '../algorithms/algorithm.js';
import type { PermitPolicy } from '../algorithms/concurrency/permit-policy.js';
import type { Permits } from '../algorithms/concurrency/permits.js';
import { heldBy } from '../algorithms/concurrency/wishes/shares.js';
import { waitingConcurrency } from '../algorithms/concurrency/wishes/waiting-concurrency.js';

/** A limit in flight that callers share. */
export const sharedConcurrency: Algorithm<PermitPolicy, Permits> = {
  ...waitingConcurrency,
  twin: 'cf',
  packing: undefined,

  terms(state, now, policy, cost) {
    const terms = waitingConcurrency.terms(state, now, policy, cost);
    return { ...terms, callers: heldBy('|', state, now) } as typeof terms;
  },
};
