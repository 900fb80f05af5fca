import { ConfigError } from '../../model/errors.js';
import { OptionReader, show } from '../../options/option-reader.js';

/**
 * Reads the options of an identity. What is no object has no options that could be wrong, so `byIp(56)` would be taken
 * for `byIp()` and nobody would know.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function readIdentityOptions(owner: string, options: object, known: readonly string[]): OptionReader {
  if (typeof options === 'object' && options !== null) return new OptionReader(owner, options, known);
  throw new ConfigError(
    'OPTION_INVALID',
    'options',
    options,
    `${owner}: options must be an object, got ${show(options)}`,
  );
}
