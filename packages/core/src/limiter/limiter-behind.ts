import { UsageError } from '../model/errors.js';
import { show } from '../options/show.js';
import { limiterOf, type LimiterView } from '../stores/limiters-of.js';
import type { Limiter } from './limiter.js';
import type { TieredLimiter } from './tiered-limiter.js';

/** The limiter that an application has, or that is shown to operators. @param call as messages begin @throws UsageError for another value */
export function limiterBehind<S>(call: string, limiter: Limiter<S> | LimiterView): TieredLimiter<S> {
  const found = limiterOf(Object(limiter) as object);
  if (found !== undefined) return found as TieredLimiter<S>;
  const rule = 'limiter must be what createLimiter or limitersOf has returned';
  throw new UsageError('USAGE_INVALID', `${call}: ${rule}, got ${show(limiter)}`);
}
