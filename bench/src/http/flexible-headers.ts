import type { RateLimiterRes } from 'rate-limiter-flexible';

/** The headers that its documentation advises to send. */
export function flexibleHeaders(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes) {
  return {
    'Retry-After': String(Math.ceil(msBeforeNext / 1000)),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remainingPoints),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
  };
}
