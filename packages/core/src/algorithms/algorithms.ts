import type { AlgorithmName } from '../model/algorithm-facts.js';
import { processWide } from '../model/process-wide.js';
import type { Algorithm } from './algorithm.js';
import { backoff } from './backoff/backoff.js';
import { concurrency } from './concurrency/concurrency.js';
import { fixedWindow } from './fixed-window/fixed-window.js';
import { leakyBucket } from './leaky-bucket/leaky-bucket.js';
import { multiWindow } from './multi-window/multi-window.js';
import { pause } from './pause/pause.js';
import { slidingWindowLog } from './sliding-window-log/sliding-window-log.js';
import { slidingWindow } from './sliding-window/sliding-window.js';
import { tokenBucket } from './token-bucket/token-bucket.js';

// The types do not relate a policy and a state to their algorithm: a policy carries its algorithm.
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
] as unknown as readonly Algorithm[];

/** Those of rooms that a program has imported, by their names. All copies of this package have them. */
const added = processWide('added-algorithms', (): Partial<Record<AlgorithmName, Algorithm>> => ({}));

/** The algorithm of an option `algorithm`. Undefined for one of a room that no program has imported. */
export function algorithmNamed(name: AlgorithmName): Algorithm | undefined {
  return algorithms().find((each) => each.name === name);
}

/** All that an option can name. */
export function algorithms(): readonly Algorithm[] {
  return [...own, ...Object.values(added)];
}

/** Adds the algorithm of a room, which an option can name then. */
export function addAlgorithm(algorithm: Algorithm): void {
  added[algorithm.name] = algorithm;
}
