import type { RateLimiterRes } from 'rate-limiter-flexible';

/** The headers that its documentation advises to send, without `Retry-After` for requests that are admitted: no other sends it. */
export function flexibleHeaders(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes) {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remainingPoints),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
  };
}

/** The headers of a denied request. */
export function flexibleDenialHeaders(limit: number, denied: RateLimiterRes) {
  return { 'Retry-After': String(Math.ceil(denied.msBeforeNext / 1000)), ...flexibleHeaders(limit, denied) };
}
