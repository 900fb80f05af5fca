import { UsageError } from '../model/errors.js';
import { show } from './option-reader.js';

/**
 * Checks the options of a call: one without effect is a mistake, because `reset(subject, ['login'])` would forget every
 * tier.
 *
 * @param owner the call, such as `reset`
 * @throws UsageError USAGE_INVALID
 */
export function checkCallOptions(owner: string, options: unknown, names: readonly string[]): void {
  if (options === undefined) return;
  const rule = `${owner}: options must be { ${names.join(', ')} }`;
  // A map, a date or an array has no member with an unknown name.
  if (Object.prototype.toString.call(options) !== '[object Object]') {
    throw new UsageError('USAGE_INVALID', `${rule}, got ${show(options)}`);
  }
  const unknown = Object.entries(options as object).find(
    ([name, value]) => value !== undefined && !names.includes(name),
  );
  if (unknown !== undefined) throw new UsageError('USAGE_INVALID', `${rule}, got the option ${show(unknown[0])}`);
}
