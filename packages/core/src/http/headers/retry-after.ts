import { toSeconds } from '../../model/duration.js';

/** Clients keep a time to wait in a timer of 32 bits of milliseconds: what is longer would end at once. */
const LONGEST = 2_147_483;

/**
 * Seconds to wait before the same request fits, at least 1: clients take 0 for "at once". Undefined where waiting does
 * not help.
 */
export function retryAfterOf({ retryAfter }: { readonly retryAfter: number }): number | undefined {
  return retryAfter === Infinity ? undefined : Math.min(LONGEST, Math.max(1, toSeconds(retryAfter)));
}
