import { MAX_PAUSE_MS } from '../algorithms/pause/pause.js';
import { parseDuration, type Duration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
import { durationRule } from '../options/duration-rule.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/** The milliseconds of a pause, rounded up. @throws UsageError */
export function pauseOf(duration: Duration): number {
  const microseconds = parseDuration(duration);
  const max = MAX_PAUSE_MS * 1e3;
  if (microseconds !== undefined && microseconds > 0 && microseconds <= max) return Math.ceil(microseconds / 1e3);
  const rule = durationRule(duration, { range: '1 ms to 49 days', max, example: "60000 or '1m'" });
  throw new UsageError('USAGE_INVALID', `pause: the duration ${rule}`);
}

/** The tiers that can be paused. @throws UsageError without one */
export function pauseTiers<S>(tiers: readonly TierDefinition<S>[]): readonly TierDefinition<S>[] {
  const paused = tiers.filter(isPause);
  if (paused.length > 0) return paused;
  const rule = "needs a tier with algorithm: 'pause', such as { name: 'pause', key, algorithm: 'pause' }";
  throw new UsageError('USAGE_INVALID', `pause: the limiter ${rule}`);
}

export function isPause({ policy }: TierDefinition<never>): boolean {
  return policy.unspent === true;
}
