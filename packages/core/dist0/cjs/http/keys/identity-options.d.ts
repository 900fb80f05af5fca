import { OptionReader } from '../../model/option-reader.js';
/**
 * Reads the options of an identity. What is no object has no options that could be wrong, so `byIp(56)` would be taken
 * for `byIp()` and nobody would know.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export declare function readIdentityOptions(owner: string, options: object, known: readonly string[]): OptionReader;
//# sourceMappingURL=identity-options.d.ts.map