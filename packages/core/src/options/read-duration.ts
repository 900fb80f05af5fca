import { warn } from '../events/warning.js';
import { parseDuration } from '../model/duration.js';
import { durationRule, type DurationRange } from './duration-rule.js';

/**
 * Reads a duration of an option or of a call. Most rate limiters take seconds, so a number that is small for milliseconds
 * gives a warning, once for each option.
 *
 * @param owner what has the option, as messages begin: `tier "login"`
 * @param option its name with its path: `delays[1]`
 * @returns whole microseconds, or the rule that the value breaks
 */
export function readDuration(value: unknown, owner: string, option: string, range: DurationRange): number | string {
  const microseconds = parseDuration(value);
  const { min = 1e3, max } = range;
  if (microseconds === undefined || microseconds < min || microseconds > max) return durationRule(value, range);
  // 0 is the same in every unit.
  if (typeof value === 'number' && value > 0 && value < 1_000 && !range.isShort) warnOfUnit(value, owner, option);
  return microseconds;
}

function warnOfUnit(value: number, owner: string, option: string): void {
  const instead = `write '${value}s' for seconds, or '${value}ms' if you mean it`;
  const name = option.replaceAll(/\[\d+\]/g, '');
  warn('SLUICE_DURATION_IN_MILLISECONDS', `${owner}: ${option} is ${value} milliseconds: ${instead}`, name);
}
