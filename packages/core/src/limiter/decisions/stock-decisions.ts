import type { Decision } from '../../model/decision.js';

const MAX_RETRY_SECONDS = 5;

/** The decision of a request that nothing could decide. The wait is random, so that clients do not return together. */
export function unavailable(): Decision {
  const retryAfter = Math.ceil(Math.random() * MAX_RETRY_SECONDS) * 1_000 || 1_000;
  return denied({ reason: 'unavailable', retryAfter, degraded: true });
}

/** The decision of a request whose address the option `deny` has. No limiter has decided. */
export function listed(): Decision {
  return denied({ reason: 'never', retryAfter: Infinity, degraded: false });
}

function denied({ reason, retryAfter, degraded }: Pick<Decision, 'reason' | 'retryAfter' | 'degraded'>): Decision {
  return { allowed: false, reason, deniedBy: [], outcomes: [], retryAfter, delay: 0, source: 'none', degraded };
}
