import { toSeconds } from '../../model/duration.js';

/** Clients wait with 32-bit timers in milliseconds. A longer wait would end at once. */
const MAX_RETRY_AFTER_SECONDS = 2_147_483;

/**
 * The value of `Retry-After` in seconds, at least 1 because clients retry at once on 0. Undefined where waiting does not
 * help.
 */
export function retryAfterOf({ retryAfter }: { readonly retryAfter: number }): number | undefined {
  return retryAfter === Infinity ? undefined : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, toSeconds(retryAfter)));
}
