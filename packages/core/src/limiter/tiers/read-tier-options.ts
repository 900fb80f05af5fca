import type { NamedAlgorithm } from '../../algorithms/algorithm.js';
import { algorithms } from '../../algorithms/named/algorithms.js';
import { BALANCE, howTo } from '../../options/imported-value.js';
import { OptionReader } from '../../options/option-reader.js';
import { ANY, type OptionRows } from '../../options/option-row.js';
import { TIER_ROWS } from './tier-rows.js';

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
  alsoAllowed: OptionRows = {},
): OptionReader {
  // A tier has some options of a gate and of a limiter too.
  const known = { algorithm: ANY, ...algorithm.options, ...TIER_ROWS, ...algorithm.tierOptions, ...alsoAllowed };
  const names = Object.keys(given).filter((name) => (given as Record<string, unknown>)[name] !== undefined);
  for (const name of names) {
    const rule = name in known ? undefined : ruleOf(name, algorithm);
    if (rule !== undefined) throw new OptionReader(owner, given, names).fail('OPTION_UNKNOWN', name, rule);
  }
  return new OptionReader(owner, given, known);
}

/** What is wrong with an option that another algorithm has. */
function ruleOf(name: string, algorithm: NamedAlgorithm): string | undefined {
  const owners = ownersOf(name);
  // Nearly all algorithms have `limit` and `window`: a list of them would not help.
  if (owners.length === 1 || owners.length === 2) return `is an option of ${owners.join(' and ')}: set algorithm`;
  if (name === 'covers') return `belongs to the balance: ${howTo('algorithm', BALANCE)}`;
  if (!algorithm.neverRefills || !['limit', 'window', 'period'].includes(name)) return undefined;
  return 'has no meaning for a balance: leave it out, and add units by creditsOf(limiter)';
}

/** The algorithms that have an option. */
function ownersOf(name: string): readonly string[] {
  const owners = algorithms().filter(({ options }) => name in options);
  return owners.map((each) => each.name);
}
