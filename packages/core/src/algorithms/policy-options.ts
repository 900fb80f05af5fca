import { OptionReader } from '../options/option-reader.js';
import type { AlgorithmName, Policy } from '../model/policy.js';
import type { BackoffOptions } from './backoff/backoff.js';
import type { BalanceOptions } from './balance/balance.js';
import type { ConcurrencyOptions } from './concurrency/concurrency.js';
import type { PeriodStart } from './fixed-window/calendar-options.js';
import type { FixedWindowOptions } from './fixed-window/fixed-window.js';
import { algorithms } from './algorithms.js';
import type { LeakyBucketOptions } from './leaky-bucket/leaky-bucket.js';
import type { MultiWindowOptions } from './multi-window/multi-window.js';
import type { PauseOptions } from './pause/pause.js';
import type { SlidingWindowLogOptions } from './sliding-window-log/sliding-window-log.js';
import type { SlidingWindowOptions } from './sliding-window/sliding-window.js';
import type { TokenBucketOptions } from './token-bucket/token-bucket.js';

/**
 * An algorithm and its numbers, as a user writes them. `Limit` is what may stand for the limit of a window, and `Start` for the
 * first day of a period.
 */
export type PolicyOptions<Limit = number, Start = PeriodStart> =
  | FixedWindowOptions<Limit, Start>
  | SlidingWindowOptions<Limit>
  | SlidingWindowLogOptions<Limit>
  | TokenBucketOptions<Limit>
  | LeakyBucketOptions<Limit>
  | MultiWindowOptions
  | ConcurrencyOptions<Limit>
  | BackoffOptions<Limit>
  | PauseOptions
  | BalanceOptions;

/**
 * Checks options and makes their policy.
 *
 * @param owner what an error message begins with: `tier "login"`
 * @throws ConfigError that names the option, the rule and the value
 * @example const policy = definePolicy({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 });
 */
export function definePolicy(options: PolicyOptions, owner = 'policy'): Policy {
  const name = algorithmName(options, owner);
  const algorithm = algorithms[name];
  return algorithm.define(new OptionReader(`${owner} (${name})`, options, ['algorithm', ...algorithm.options]));
}

/** The algorithm that options name; `sliding-window` when they name none. */
export function algorithmName(options: object, owner: string): AlgorithmName {
  const { algorithm } = options as { algorithm?: unknown };
  if (algorithm === 'gcra') return 'token-bucket';
  const names = [...Object.keys(algorithms), 'gcra'] as AlgorithmName[];
  return new OptionReader(owner, { algorithm }, ['algorithm']).choice('algorithm', names, 'sliding-window');
}
