import { MAX_PAUSE_MS } from '../algorithms/pause/pause.js';
import type { Duration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
import { durationArgument } from '../options/call-options.js';
import type { DurationRange } from '../options/duration-rule.js';
import type { TierDefinition } from './tiers/tier-definition.js';

const PAUSE: DurationRange = { range: '1 ms to 49 days', max: MAX_PAUSE_MS * 1e3, example: "60000 or '1m'" };

/** The milliseconds of a pause, rounded up. @param call as messages begin: `pause` @throws UsageError */
export function pauseOf(duration: Duration, call: string): number {
  return Math.ceil(durationArgument(duration, call, 'the duration', PAUSE) / 1e3);
}

/** The tiers that can be paused. @throws UsageError without one */
export function pauseTiers<S>(tiers: readonly TierDefinition<S>[]): readonly TierDefinition<S>[] {
  const paused = tiers.filter(isPause);
  if (paused.length > 0) return paused;
  const rule = "needs a tier with algorithm: 'pause', such as { name: 'pause', key, algorithm: 'pause' }";
  throw new UsageError('USAGE_INVALID', `pause: the limiter ${rule}`);
}

export function isPause({ policy }: TierDefinition<never>): boolean {
  return policy.kind === 'pause';
}
