import type { Decision } from '../../model/decision.js';

const MAX_RETRY_SECONDS = 5;

/** The decision of a request that nothing could decide. The wait is random, so that clients do not return together. */
export function unavailable(): Decision {
  return {
    allowed: false,
    reason: 'unavailable',
    deniedBy: [],
    outcomes: [],
    retryAfter: Math.ceil(Math.random() * MAX_RETRY_SECONDS) * 1_000 || 1_000,
    delay: 0,
    source: 'none',
    degraded: true,
  };
}

/** The decision of a request whose address the option `deny` has. No limiter has decided. */
export function listed(): Decision {
  return {
    allowed: false,
    reason: 'never',
    deniedBy: [],
    outcomes: [],
    retryAfter: Infinity,
    delay: 0,
    source: 'none',
    degraded: false,
  };
}
