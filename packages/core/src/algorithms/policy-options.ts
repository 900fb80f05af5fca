import { OptionReader } from '../options/option-reader.js';
import type { AlgorithmName } from '../model/algorithm-facts.js';
import type { Policy } from '../model/policy.js';
import type { BackoffOptions } from './backoff/backoff.js';
import type { ConcurrencyOptions } from './concurrency/concurrency.js';
import type { FairCaller } from './fair-policies.js';
import type { PeriodStart } from './fixed-window/calendar-options.js';
import type { FixedWindowOptions } from './fixed-window/fixed-window.js';
import { algorithmNamed, algorithms } from './algorithms.js';
import type { LeakyBucketOptions } from './leaky-bucket/leaky-bucket.js';
import type { MultiWindowOptions } from './multi-window/multi-window.js';
import type { PauseOptions } from './pause/pause.js';
import type { SlidingWindowLogOptions } from './sliding-window-log/sliding-window-log.js';
import type { SlidingWindowOptions } from './sliding-window/sliding-window.js';
import { quotasFor } from './quota-policies.js';
import type { TokenBucketOptions } from './token-bucket/token-bucket.js';

export interface BalanceOptions {
  /** `'balance'` spends units that `creditsOf(limiter)` adds, and that no time refills. It begins at 0. */
  algorithm: 'balance';
  /**
   * Names of tiers in whose place the balance pays: where only these deny, and it holds the cost. The request is then
   * admitted, and none of them is charged. Without units the balance itself denies no request.
   *
   * @default it pays for each request, and denies without units
   * @example covers: ['month']
   */
  covers?: readonly string[];
}

/**
 * An algorithm and its numbers, as a user writes them. `Limit` is what may stand for the limit of a window, `Start` for the
 * first day of a period, and `Fair` for a caller.
 */
export type PolicyOptions<Limit = number, Start = PeriodStart, Fair = never> =
  | FixedWindowOptions<Limit, Start>
  | SlidingWindowOptions<Limit>
  | SlidingWindowLogOptions<Limit>
  | TokenBucketOptions<Limit>
  | LeakyBucketOptions<Limit>
  | MultiWindowOptions
  | ConcurrencyOptions<Limit, Fair>
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
export function definePolicy(options: PolicyOptions<number, PeriodStart, FairCaller>, owner = 'policy'): Policy {
  const name = algorithmName(options, owner);
  const algorithm = algorithmNamed(name)!;
  return algorithm.define(new OptionReader(`${owner} (${name})`, options, ['algorithm', ...algorithm.options]));
}

/** The algorithm that options name; `sliding-window` when they name none. */
export function algorithmName(options: object, owner: string): AlgorithmName {
  const { algorithm } = options as { algorithm?: unknown };
  if (algorithm === 'gcra') return 'token-bucket';
  const reader = new OptionReader(owner, { algorithm }, ['algorithm']);
  if (algorithm === 'balance') quotasFor(reader, 'algorithm');
  const names = [...algorithms().map(({ name }) => name), 'gcra'] as AlgorithmName[];
  return reader.choice('algorithm', names, 'sliding-window');
}
