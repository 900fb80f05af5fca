import { algorithms } from '../../algorithms/index.js';
import type { AlgorithmName } from '../../model/policy.js';
import { OptionReader } from '../../options/option-reader.js';
import { TIER_OPTIONS } from './tier.js';

/** What others call our options. */
const ELSEWHERE = new Map([
  ['max', 'limit'],
  ['points', 'limit'],
  ['requests', 'limit'],
  ['windowMs', 'window'],
  ['duration', 'window'],
  ['interval', 'window'],
  ['timeWindow', 'window'],
  ['ttl', 'window'],
]);

/** The names of the options of a tier with this algorithm. */
export function optionNames(algorithm: AlgorithmName): readonly string[] {
  return ['algorithm', ...algorithms[algorithm].options, ...TIER_OPTIONS];
}

/**
 * A reader of the options of a tier.
 *
 * @param besides other names that may stand there
 * @throws ConfigError OPTION_UNKNOWN that says whose option it is, or what it is called here
 */
export function readTierOptions(
  owner: string,
  given: object,
  algorithm: AlgorithmName,
  alsoAllowed: readonly string[] = [],
): OptionReader {
  const known = [...optionNames(algorithm), ...alsoAllowed];
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const others = Object.values(algorithms).filter(({ options }) => options.includes(name));
    // What nearly all have is missing here for a reason, and the nearest name tells more.
    const names = others.map((each) => each.name).join(' and ');
    const here = ELSEWHERE.get(name);
    const hint =
      others.length === 1 || others.length === 2
        ? `is an option of ${names}: set algorithm`
        : here && `is called ${here} here`;
    if (hint) throw new OptionReader(owner, given, Object.keys(given)).fail('OPTION_UNKNOWN', name, hint);
  }
  return new OptionReader(owner, given, known);
}
