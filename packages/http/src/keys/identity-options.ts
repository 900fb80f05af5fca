import { ConfigError, OptionReader, show } from '@sluice/core/internal';

/**
 * Reads the options of an identity. Other values than objects are errors: `byIp(56)` would otherwise mean `byIp()`.
 *
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 */
export function readIdentityOptions(owner: string, options: object, known: readonly string[]): OptionReader {
  if (typeof options === 'object' && options !== null) return new OptionReader(owner, options, known);
  const message = `${owner}: options must be an object, got ${show(options)}`;
  throw new ConfigError('OPTION_INVALID', 'options', options, message);
}
