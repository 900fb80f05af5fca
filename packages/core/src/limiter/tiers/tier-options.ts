import { algorithms } from '../../algorithms/algorithms.js';
import type { AlgorithmName } from '../../model/policy.js';
import { OptionReader } from '../../options/option-reader.js';
import { TIER_OPTIONS } from './tier.js';

/** The names of our options in other libraries. */
const SYNONYMS = new Map([
  ['max', 'limit'],
  ['points', 'limit'],
  ['requests', 'limit'],
  ['windowMs', 'window'],
  ['duration', 'window'],
  ['interval', 'window'],
  ['timeWindow', 'window'],
  ['ttl', 'window'],
]);

/**
 * A reader of the options of a tier.
 *
 * @param alsoAllowed names of options that are not the tier's
 * @throws ConfigError OPTION_UNKNOWN: it names the algorithm that has the option, our name for it, or the nearest name
 */
export function readTierOptions(
  owner: string,
  given: object,
  algorithm: AlgorithmName,
  alsoAllowed: readonly string[] = [],
): OptionReader {
  const known = ['algorithm', ...algorithms[algorithm].options, ...TIER_OPTIONS, ...alsoAllowed];
  for (const name of Object.keys(given)) {
    const hint = known.includes(name) ? undefined : hintAt(name);
    if (hint) throw new OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', name, hint);
  }
  return new OptionReader(owner, given, known);
}

function hintAt(name: string): string | undefined {
  const owners = Object.values(algorithms).filter(({ options }) => options.includes(name));
  // Nearly all algorithms have `limit` and `window`: a list of them would not help.
  if (owners.length === 1 || owners.length === 2) {
    return `is an option of ${owners.map((each) => each.name).join(' and ')}: set algorithm`;
  }
  const ours = SYNONYMS.get(name);
  return ours && `is called ${ours} here`;
}
