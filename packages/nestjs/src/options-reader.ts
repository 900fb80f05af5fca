import { isLimiter, OptionReader } from '@sluice/core/adapter';

/**
 * Reads an object of options, of which the limiter says what it does not know.
 *
 * @param place what the object is called: `options`, or the option that holds it
 * @throws ConfigError for what holds no options
 */
export function readOptions(owner: string, place: string, options: unknown): OptionReader {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  if (!isObject || isLimiter(options)) {
    const rule = isObject ? 'must be an object that has the limiter: { limiter }' : 'must be an object';
    throw new OptionReader(owner, { [place]: options }, [place]).fail('OPTION_INVALID', place, rule);
  }
  const reader = new OptionReader(owner, options, Object.keys(options), place === 'options' ? '' : `${place}.`);
  if (!reader.has('onDenied')) return reader;
  throw reader.fail('OPTION_INVALID', 'onDenied', 'must be an exception filter: a denial is a RateLimitException');
}
