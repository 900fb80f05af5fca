import type { NamedAlgorithm } from './algorithm.js';
import { backoff } from './backoff/backoff.js';
import { concurrency } from './concurrency/concurrency.js';
import { fixedWindow } from './fixed-window/fixed-window.js';
import { leakyBucket } from './leaky-bucket/leaky-bucket.js';
import { multiWindow } from './multi-window/multi-window.js';
import { pause } from './pause/pause.js';
import { slidingWindowLog } from './sliding-window-log/sliding-window-log.js';
import { slidingWindow } from './sliding-window/sliding-window.js';
import { tokenBucket } from './token-bucket/token-bucket.js';

const own: readonly NamedAlgorithm[] = [
  fixedWindow,
  slidingWindow,
  slidingWindowLog,
  tokenBucket,
  leakyBucket,
  multiWindow,
  concurrency,
  backoff,
  pause,
];

/** The algorithm of a name. Undefined for another text. */
export function algorithmNamed(name: string): NamedAlgorithm | undefined {
  return own.find((each) => each.name === name);
}

/** All that an option can name. */
export function algorithms(): readonly NamedAlgorithm[] {
  return own;
}
