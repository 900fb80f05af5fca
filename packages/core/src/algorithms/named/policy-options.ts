// named/ has the algorithms that programs write as text, and makes a policy of options. Options enter, and a policy
// leaves that carries its algorithm. It imports each of the algorithms, model and options.
import { isFeatureValue, type FeatureValue } from '../../model/feature.js';
import type { Policy } from '../../model/policy.js';
import { BALANCE, howTo } from '../../options/imported-value.js';
import { OptionReader } from '../../options/option-reader.js';
import { ANY } from '../../options/option-row.js';
import type { NamedAlgorithm, ImportedAlgorithm } from '../algorithm.js';
import { algorithmNamed, algorithmTexts, type AlgorithmOptions, type PeriodStart, STANDARD } from './algorithms.js';

export interface ImportedOptions {
  /**
   * `balance()` of `@sluice/quotas` spends units that `creditsOf(limiter)` adds, and that no time refills. It begins at 0.
   *
   * @example algorithm: balance({ covers: ['month'] })
   */
  algorithm: ImportedAlgorithm;
}

/**
 * An algorithm and its numbers, as a user writes them. `Limit` is what may stand for the limit of a window, `Start` for the
 * first day of a period, and `Fair` for a caller.
 */
export type PolicyOptions<Limit = number, Start = PeriodStart, Fair = never> =
  | AlgorithmOptions<Limit, Start, Fair>
  | ImportedOptions;

/**
 * Checks options and makes their policy.
 *
 * @param owner what an error message begins with: `tier "login"`
 * @throws ConfigError that names the option, the rule and the value
 * @example const policy = definePolicy({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 });
 */
export function definePolicy(
  options: PolicyOptions<number, PeriodStart, FeatureValue<'fair'>>,
  owner = 'policy',
): Policy {
  const algorithm = algorithmOption(options, owner);
  const reader = new OptionReader(`${owner} (${algorithm.name})`, options, { algorithm: ANY, ...algorithm.options });
  reader.check(algorithm.rules ?? []);
  return algorithm.define(reader);
}

/** The algorithm that options choose, or `sliding-window` if they choose none. @throws ConfigError OPTION_INVALID */
export function algorithmOption(options: object, owner: string): NamedAlgorithm {
  const { algorithm } = options as { algorithm?: unknown };
  if (isFeatureValue(algorithm)) return (algorithm as ImportedAlgorithm).algorithm as NamedAlgorithm;
  const instead = { balance: `is no text for a balance: ${howTo('algorithm', BALANCE)}` };
  const reader = new OptionReader(owner, { algorithm }, ['algorithm']);
  return algorithmNamed(reader.one('algorithm', { oneOf: algorithmTexts(), instead, otherwise: STANDARD }))!;
}
