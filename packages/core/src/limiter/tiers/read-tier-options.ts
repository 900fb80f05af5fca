import type { NamedAlgorithm } from '../../algorithms/algorithm.js';
import { algorithms } from '../../algorithms/algorithms.js';
import type { AlgorithmName } from '../../model/algorithm-facts.js';
import { BALANCE, howTo } from '../../options/imported-value.js';
import { OptionReader } from '../../options/option-reader.js';
import { TIER_OPTIONS } from './tier.js';

/**
 * A reader of the options of a tier.
 *
 * @param alsoAllowed names of options that are not the tier's
 * @throws ConfigError OPTION_UNKNOWN: it names the algorithm that has the option, or what replaces it
 */
export function readTierOptions(
  owner: string,
  given: object,
  algorithm: NamedAlgorithm,
  alsoAllowed: readonly string[] = [],
): OptionReader {
  // A tier has some options of a gate and of a limiter too.
  const known = new Set(['algorithm', ...algorithm.options, ...TIER_OPTIONS, ...alsoAllowed]);
  for (const name of Object.keys(given)) {
    const owners = known.has(name) ? [] : ownersOf(name);
    // Nearly all algorithms have `limit` and `window`: a list of them would not help.
    if (owners.length === 0 || owners.length > 2) continue;
    const rule = `is an option of ${owners.join(' and ')}: set algorithm`;
    throw new OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', name, rule);
  }
  if ((given as { covers?: unknown }).covers !== undefined) {
    const rule = `belongs to the balance: ${howTo('algorithm', BALANCE)}`;
    throw new OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', 'covers', rule);
  }
  const unit = ['limit', 'window', 'period'].find((name) => algorithm.name === 'balance' && name in given);
  if (unit !== undefined) {
    const rule = 'has no meaning for a balance: leave it out, and add units by creditsOf(limiter)';
    throw new OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', unit, rule);
  }
  return new OptionReader(owner, given, [...known]);
}

/** The algorithms that have an option. */
function ownersOf(name: string): readonly AlgorithmName[] {
  const owners = algorithms().filter(({ options }) => options.includes(name));
  return owners.map((each) => each.name);
}
