import type { AlgorithmName } from '../model/policy.js';
import { OptionReader } from '../model/option-reader.js';
/** The names of the options of a tier with this algorithm. */
export declare function optionNames(algorithm: AlgorithmName): readonly string[];
/**
 * A reader of the options of a tier.
 *
 * @param besides other names that may stand there
 * @throws ConfigError OPTION_UNKNOWN that says whose option it is, or what it is called here
 */
export declare function readTierOptions(owner: string, given: object, algorithm: AlgorithmName, besides?: readonly string[]): OptionReader;
//# sourceMappingURL=option-names.d.ts.map