import { MAX_PAUSE_MS } from '../algorithms/pause/pause.js';
import { chargedFor } from '../model/claim.js';
import type { Duration } from '../model/duration.js';
import { StoreError, UsageError } from '../model/errors.js';
import type { TierChoice } from '../model/identity.js';
import { checkCallOptions, durationArgument } from '../options/call-options.js';
import type { DurationRange } from '../options/duration-rule.js';
import type { Answer } from '../model/answer.js';
import type { Requests } from './requests.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { tiersByName } from './tiers/tiers-by-name.js';

const PAUSE: DurationRange = { range: '1 ms to 49 days', max: MAX_PAUSE_MS * 1e3, example: "60000 or '1m'" };

/** The milliseconds of a pause, rounded up. @param call as messages begin: `pause` @throws UsageError */
export function pauseOf(duration: Duration, call: string): number {
  return Math.ceil(durationArgument(duration, call, 'the duration', PAUSE) / 1e3);
}

interface Pause {
  readonly duration: Duration;
  readonly options: TierChoice | undefined;
}

/** Denies every request of a subject until a time: `Limiter` has the docs. */
export async function pause<S>(
  requests: Requests<S>,
  subject: Partial<S>,
  { duration, options }: Pause,
): Promise<void> {
  const { fallback } = await pauseFor(requests, subject, { milliseconds: pauseOf(duration, 'pause'), options });
  if (fallback === undefined) return;
  const effect = fallback === 'local' ? 'only this process obeys' : 'nothing is paused';
  const rule = `the store is unavailable, so ${effect} until it answers: it hears of the pause then`;
  throw new StoreError('STORE_UNAVAILABLE', `pause: ${rule}`);
}

/** The same for so many milliseconds. The answer has a `fallback` while the store is unavailable. */
async function pauseFor<S>(
  { book, claimBuilder, decider }: Requests<S>,
  subject: Partial<S>,
  { milliseconds, options }: { readonly milliseconds: number; readonly options?: TierChoice | undefined },
): Promise<Answer> {
  checkCallOptions('pause', options, ['tiers']);
  const tiers = pauseTiers(tiersByName('pause', await book.tiersFor(subject as S), options?.tiers));
  const { claims } = await claimBuilder.buildUnits(tiers, subject as S);
  return decider.consume(claims.map((claim) => chargedFor({ ...claim, cost: milliseconds }, 'all')));
}

/**
 * Pauses the tiers that can be paused, for work whose upstream asks for it.
 *
 * @returns false if no later check obeys the pause, because no tier can be paused or the store does not answer
 */
export async function holdBack<S>(requests: Requests<S>, subject: S, milliseconds: number): Promise<boolean> {
  if (!(await requests.book.tiersFor(subject)).some(isPause)) return false;
  const { fallback } = await pauseFor(requests, subject, { milliseconds });
  return fallback === undefined || fallback === 'local';
}

/** The tiers that can be paused. @throws UsageError without one */
function pauseTiers<S>(tiers: readonly TierDefinition<S>[]): readonly TierDefinition<S>[] {
  const paused = tiers.filter(isPause);
  if (paused.length > 0) return paused;
  const rule = "needs a tier with algorithm: 'pause', such as { name: 'pause', key, algorithm: 'pause' }";
  throw new UsageError('USAGE_INVALID', `pause: the limiter ${rule}`);
}

function isPause({ policy }: TierDefinition<never>): boolean {
  return policy.algorithm.chargesNobody;
}
