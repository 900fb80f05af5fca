import type { Form } from './form.js';
import {
  emptyAfter,
  isRingAhead,
  readRing,
  refundRing,
  ringExpiresAt,
  slotsTerms,
  used,
  waitForRing,
  type Ring,
} from './slots.js';

/** A ring of slots, which a limit of a log reads as a strict one. */
export const ringForm: Form<Ring> = {
  isAhead: isRingAhead,
  read: readRing,

  wait(state, now, policy, cost) {
    return waitForRing(state, now, policy, policy, policy.limit - cost);
  },

  remaining(state, now, policy) {
    return Math.max(0, policy.limit - used(state, now, policy, policy));
  },

  describe(state, now, policy, { charged, retryAfter }) {
    const { limit } = policy;
    const remaining = ringForm.remaining(state, now, policy);
    const replenishAfter = remaining === limit ? 0 : waitForRing(state, now, policy, policy, limit - remaining - 1);
    const resetAfter = emptyAfter(state, now, policy);
    return { charged, limit, remaining, retryAfter, replenishAfter, resetAfter, delay: 0 };
  },

  refund: refundRing,
  expiresAt: ringExpiresAt,
  terms: (state, now, policy, cost) => slotsTerms(state, now, [policy], policy, cost),
};
