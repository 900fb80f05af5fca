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

/** What the option `algorithm` says for the algorithms of this room. */
export type AlgorithmName = (typeof own)[number]['name'];

/** The algorithm of a tier without the option. */
export const STANDARD: AlgorithmName = 'sliding-window';

/** The algorithm of a text; that of a tier without the option by default. Undefined for another text. */
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
