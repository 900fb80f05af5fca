import { heldBy, waitingConcurrency } from '@sluice/core/between-processes';
import type { Algorithm, PermitPolicy, Permits } from '@sluice/core/internal';

/** A limit in flight that callers share. */
export const sharedPermits: Algorithm<PermitPolicy, Permits> = {
  ...waitingConcurrency,
  twin: 'cf',
  packing: undefined,

  terms(state, now, policy, cost) {
    const terms = waitingConcurrency.terms(state, now, policy, cost);
    return { ...terms, callers: heldBy('|', state, now) } as typeof terms;
  },
};
