import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { HttpSetting } from '../http-contestant.js';

/** The limiter that its glue calls. */
export function flexibleLimiter({ limit, window }: Pick<HttpSetting, 'limit' | 'window'>): RateLimiterMemory {
  return new RateLimiterMemory({ points: limit, duration: window / 1_000 });
}
