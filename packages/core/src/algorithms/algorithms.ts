import type { AlgorithmName, Policy, TwinCode } from '../model/policy.js';
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

type ByTwin = Partial<Record<TwinCode, Algorithm>>;

// The types do not relate a policy and a state to their algorithm: a policy names its algorithm.
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

/** Those of rooms that a program has imported. All copies of this package have them. */
const added = processWide('added-algorithms', (): ByTwin => ({}));

/**
 * Those of policies, by `policy.twin`: for checks in memory, which are as fast as a call. What was added is the prototype, so that
 * a look-up of the others does not ask for it.
 */
export const byTwin = Object.assign(
  Object.create(added) as ByTwin,
  Object.fromEntries(own.map((algorithm) => [algorithm.code, algorithm])),
) as Readonly<Record<TwinCode, Algorithm>>;

/** The algorithm of a policy. */
export function algorithmOf({ twin }: Policy): Algorithm {
  return byTwin[twin];
}

/** The algorithm of an option `algorithm`. Undefined for one of a room that no program has imported. */
export function algorithmNamed(name: AlgorithmName): Algorithm | undefined {
  return algorithms().find((each) => each.name === name);
}

/** All that an option can name. */
export function algorithms(): readonly Algorithm[] {
  return [...own, ...Object.values(added).filter(({ twin }) => twin === undefined)];
}

/** Adds the algorithm of a room. */
export function addAlgorithm(algorithm: Algorithm): void {
  added[algorithm.twin ?? algorithm.code] = algorithm;
}
