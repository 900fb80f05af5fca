import { MOST_EVEN_UNITS, MOST_HELD_UNITS } from '../../algorithms/most-units.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { readOptions } from '../../options/option-reader.js';
import { ANY, type OptionRows } from '../../options/option-row.js';
import type { KeyFunction } from '../keys/key-function.js';
import type { Limit, Tier } from './tier.js';

/** The options of `llmTiers`. `S` is the subject of all functions. A limit of null means that its tier does not apply. */
export interface LlmTiersOptions<S> {
  /** Identifies the client whose budgets a request uses. */
  key: KeyFunction<S>;
  /** Requests of a client in a minute, at most 9 x 10^7. */
  requestsPerMinute: Limit<S>;
  /** Tokens of a client in a minute, of prompts and answers together, at most 9 x 10^7. */
  tokensPerMinute: Limit<S>;
  /**
   * Requests of a client that may run at the same time, at most 10 000. Outside HTTP call `release` when a request ends.
   *
   * @default no such tier
   */
  parallel?: Limit<S>;
  /** Tokens of a client in a day of UTC, at most 2^32 - 1. @default no such tier */
  tokensPerDay?: Limit<S>;
  /** Millionths of a dollar of a client in a day of UTC, at most 2^32 - 1: 4 294 dollars. @default no such tier */
  microDollarsPerDay?: Limit<S>;
  /** Tokens to reserve for a request: its prompt, and the first part of its answer. `settle` or a meter corrects it. */
  estimate: number | ((subject: S) => MaybePromise<number>);
}

const LIMIT = { code: 'LIMIT_INVALID', integer: [1, 2 ** 32 - 1], orFunction: true } as const;
const PER_MINUTE = { ...LIMIT, integer: [1, MOST_EVEN_UNITS], required: true } as const;

export const LLM_ROWS = {
  key: ANY,
  requestsPerMinute: PER_MINUTE,
  tokensPerMinute: PER_MINUTE,
  parallel: { ...LIMIT, integer: [1, MOST_HELD_UNITS] },
  tokensPerDay: LIMIT,
  microDollarsPerDay: LIMIT,
  estimate: { code: 'COST_INVALID', integer: [1, Number.MAX_SAFE_INTEGER], orFunction: true, required: true },
} as const satisfies OptionRows;

/** About the longest answer of a model. A constant, so that the plans of a limiter share a count. */
const OVERDRAFT = 100_000;

/**
 * The tiers of a language model, in one atomic group: `requests` and `tokens` in a minute, and if they have a limit,
 * `parallel` (running requests), `day` (tokens) and `money` (millionths of a dollar). Settle `tokens`, `day` and `money` when
 * the usage is known.
 *
 * @throws ConfigError that names the option, the rule and the value
 * @example
 * const limiter = createLimiter({
 *   tiers: llmTiers({
 *     key: ({ user }: Prompt) => user,
 *     requestsPerMinute: 60,
 *     tokensPerMinute: 30_000,
 *     estimate: ({ text }) => Math.ceil(text.length / 4) + 256,
 *   }),
 * });
 */
export function llmTiers<S>(options: LlmTiersOptions<S>): readonly Tier<S>[] {
  readOptions('llmTiers', options, LLM_ROWS);
  const { key, requestsPerMinute, tokensPerMinute, parallel, tokensPerDay, microDollarsPerDay, estimate } = options;
  const minute = { key, algorithm: 'token-bucket', window: '1m' } as const;
  const day = { key, algorithm: 'fixed-window', window: '1d', anchor: 'clock' } as const;
  const tokens = { cost: estimate, unit: 'tokens', aboveFull: 'all' } as const;
  return [
    { ...minute, name: 'requests', limit: requestsPerMinute, cost: 1 },
    { ...minute, ...tokens, name: 'tokens', limit: tokensPerMinute, overdraft: OVERDRAFT },
    ...(parallel === undefined
      ? []
      : [{ key, name: 'parallel', algorithm: 'concurrency', limit: parallel, cost: 1 } as const]),
    ...(tokensPerDay === undefined ? [] : [{ ...day, ...tokens, name: 'day', limit: tokensPerDay }]),
    ...(microDollarsPerDay === undefined
      ? []
      : // One unit, because a cost of 0 would be admitted by an empty budget.
        [{ ...day, name: 'money', limit: microDollarsPerDay, cost: 1, unit: 'micro-dollars' }]),
  ];
}
