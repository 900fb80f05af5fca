import type { NamedAlgorithm } from '../algorithm.js';
import { backoff, type BackoffOptions } from '../backoff/backoff.js';
import { concurrency, type ConcurrencyOptions } from '../concurrency/concurrency.js';
import { fixedWindow, type FixedWindowOptions } from '../fixed-window/fixed-window.js';
import { leakyBucket, type LeakyBucketOptions } from '../leaky-bucket/leaky-bucket.js';
import { multiWindow, type MultiWindowOptions } from '../multi-window/multi-window.js';
import { pause, type PauseOptions } from '../pause/pause.js';
import { slidingWindowLog, type SlidingWindowLogOptions } from '../sliding-window-log/sliding-window-log.js';
import { slidingWindow, type SlidingWindowOptions } from '../sliding-window/sliding-window.js';
import { tokenBucket, type TokenBucketOptions } from '../token-bucket/token-bucket.js';

const own = [
  fixedWindow,
  slidingWindow,
  slidingWindowLog,
  tokenBucket,
  leakyBucket,
  multiWindow,
  concurrency,
  backoff,
  pause,
] as const satisfies readonly NamedAlgorithm[];

/**
 * The options of each. `Limit` is what may stand for the limit of a window, `Start` for the first day of a period, and `Fair` for
 * a caller.
 */
export type AlgorithmOptions<Limit, Start, Fair> =
  | FixedWindowOptions<Limit, Start>
  | SlidingWindowOptions<Limit>
  | SlidingWindowLogOptions<Limit>
  | TokenBucketOptions<Limit>
  | LeakyBucketOptions<Limit>
  | MultiWindowOptions
  | ConcurrencyOptions<Limit, Fair>
  | BackoffOptions<Limit>
  | PauseOptions;

export type { PeriodStart } from '../fixed-window/calendar-options.js';
export type { SharedLimit } from '../concurrency/permit-policy.js';

/** What the option `algorithm` says for the algorithms of this room. */
export type AlgorithmName = (typeof own)[number]['name'];

/** The algorithm of a tier without the option. */
export const STANDARD: AlgorithmName = 'sliding-window';

/** The algorithm that a text names, by default the algorithm of a tier without the option. It is undefined for any other text. */
export function algorithmNamed(name: string = STANDARD): NamedAlgorithm | undefined {
  return algorithms().find((each) => each.name === name || each.aliases?.includes(name));
}

/** The texts that name an algorithm. */
export function algorithmTexts(): readonly string[] {
  return [...own.map(({ name }) => name), ...algorithms().flatMap(({ aliases = [] }) => aliases)];
}

/** All that an option can name. */
export function algorithms(): readonly NamedAlgorithm[] {
  return own;
}
