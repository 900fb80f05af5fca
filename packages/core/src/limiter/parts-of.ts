import { UsageError } from '../model/errors.js';
import { show } from '../options/show.js';
import { limiterOf, type LimiterView } from '../stores/limiters-of.js';
import type { Limiter } from './limiter.js';
import { type Piped, PIPED } from './piped.js';

/** What a limiter consists of. @throws UsageError for another value */
export function partsOf<S>(call: string, limiter: Limiter<S> | LimiterView): Piped<S> {
  const parts = (Object(limiterOf(Object(limiter) as object)) as { [PIPED]?: Piped<S> })[PIPED];
  if (parts !== undefined) return parts;
  const rule = 'limiter must be what createLimiter or limitersOf has returned';
  throw new UsageError('USAGE_INVALID', `${call}: ${rule}, got ${show(limiter)}`);
}
