import {
  type Limiter,
  limiterOf,
  type LimiterParts,
  type LimiterView,
  type Piped,
  PIPED,
  show,
  UsageError,
} from '@sluice/core/internal';

/** What a limiter consists of. @throws UsageError for another value */
export function partsOf<S>(call: string, limiter: Limiter<S> | LimiterView): LimiterParts<S> {
  const parts = (Object(limiterOf(Object(limiter) as object)) as { [PIPED]?: Piped<S> })[PIPED];
  if (parts !== undefined) return parts;
  const rule = 'limiter must be what createLimiter or limitersOf has returned';
  throw new UsageError('USAGE_INVALID', `${call}: ${rule}, got ${show(limiter)}`);
}
