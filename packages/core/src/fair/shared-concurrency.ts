import type { Algorithm, DeniedClaim } from '../algorithms/algorithm.js';
import { concurrency } from '../algorithms/concurrency/concurrency.js';
import type { PermitPolicy } from '../algorithms/concurrency/permit-policy.js';
import type { Permits } from '../algorithms/concurrency/permits.js';
import { areAdmitted } from '../algorithms/group.js';
import { NEVER } from '../model/ruling.js';
import { SharedPermits, type Wish } from './shared-permits.js';
import { hasShare, heldByCaller, WISH_LASTS } from './shares.js';

/** A limit in flight that callers share. */
export const sharedConcurrency: Algorithm<PermitPolicy, Permits> = {
  ...concurrency,
  twin: 'cf',
  packing: undefined,

  read(stored, now, policy) {
    const read = concurrency.read(stored, now, policy);
    return read instanceof SharedPermits ? read : new SharedPermits(read.entries());
  },

  wait(state, now, policy, cost) {
    const wait = concurrency.wait(state, now, policy, cost);
    return wait === 0 && !hasShare(state as SharedPermits, now, policy, cost) ? policy.retry : wait;
  },

  charge(state, now, policy, cost, name) {
    // Its wish is over.
    (state as SharedPermits).wishes.delete(policy.caller!);
    return concurrency.charge(state, now, policy, cost, name);
  },

  terms(state, now, policy, cost) {
    const terms = concurrency.terms(state, now, policy, cost);
    return { ...terms, callers: heldByCaller(state, now) } as typeof terms;
  },

  revive(json) {
    const { permits, wishes } = json as { permits: [string, number][]; wishes?: [string, Wish][] };
    return new SharedPermits(permits, wishes);
  },

  denied: rememberDenied,
};

const FITS = { retryAfter: 0 };

/** Remembers callers that fair tiers alone have denied. Another tier would deny them although units were left. */
function rememberDenied(denied: readonly DeniedClaim[]): void {
  const group = denied.map(({ claim }) => claim);
  const otherWaits = denied.map((each) => (isFairDenial(each) ? FITS : each));
  if (!areAdmitted(group, otherWaits)) return;
  for (const each of denied.filter(isFairDenial)) {
    const { caller, retry } = each.claim.policy as PermitPolicy;
    const state = each.state as SharedPermits;
    state.wish(caller!, { until: each.ticks + WISH_LASTS * retry, cost: each.cost });
    each.changed = true;
  }
}

function isFairDenial({ claim, retryAfter }: DeniedClaim): boolean {
  const isDenial = retryAfter !== 0 && retryAfter !== NEVER && !claim.shadow;
  return isDenial && (claim.policy as PermitPolicy).caller !== undefined;
}
