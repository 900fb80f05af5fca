import { UsageError } from '../model/errors.js';
import type { DurationRange } from './duration-rule.js';
import { show } from './show.js';
import { readDuration } from './read-duration.js';

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

/** The whole microseconds of a duration in a call. @param call as messages begin: `run` @throws UsageError USAGE_INVALID */
export function durationArgument(duration: unknown, call: string, name: string, range: DurationRange): number {
  const microseconds = readDuration(duration, call, name, range);
  if (typeof microseconds === 'number') return microseconds;
  throw new UsageError('USAGE_INVALID', `${call}: ${name} ${microseconds}, got ${show(duration)}`);
}
