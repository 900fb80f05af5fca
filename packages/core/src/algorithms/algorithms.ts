import type { AlgorithmName, Policy, TwinCode } from '../model/policy.js';
import type { Algorithm } from './algorithm.js';
import { backoff } from './backoff/backoff.js';
import { balance } from './balance/balance.js';
import { concurrency } from './concurrency/concurrency.js';
import { fixedWindow } from './fixed-window/fixed-window.js';
import { leakyBucket } from './leaky-bucket/leaky-bucket.js';
import { multiWindow } from './multi-window/multi-window.js';
import { pause } from './pause/pause.js';
import { slidingWindowLog } from './sliding-window-log/sliding-window-log.js';
import { slidingWindow } from './sliding-window/sliding-window.js';
import { tokenBucket } from './token-bucket/token-bucket.js';

// The types of the registry do not relate a policy and a state to their algorithm: a policy names its algorithm.
const registry = {
  'fixed-window': fixedWindow,
  'sliding-window': slidingWindow,
  'sliding-window-log': slidingWindowLog,
  'token-bucket': tokenBucket,
  'leaky-bucket': leakyBucket,
  'multi-window': multiWindow,
  concurrency,
  backoff,
  pause,
  balance,
} satisfies Record<AlgorithmName, unknown>;

/** All algorithms by name. */
export const algorithms = registry as unknown as Readonly<Record<AlgorithmName, Algorithm>>;

/** The code of the Lua twin of a policy. */
export function twinOf({ algorithm, twin }: Policy): TwinCode {
  return twin ?? algorithms[algorithm].code;
}
