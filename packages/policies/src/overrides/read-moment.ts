import type { OptionReader } from '@sluice/core/internal';

const DAY_MS = 8.64e7;
const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
/** September 2001. Seconds since 1970 are smaller until the year 33658. */
const MIN_MS = 1e12;
/** The year 9999. */
const MAX_MS = 253_402_300_799_999;
const RULE = "must be a Date, milliseconds since 1970 or a text such as '2027-01-31T12:00:00Z'";

/**
 * A moment in milliseconds since 1970. A date without a time is the end of that day in UTC.
 *
 * @throws ConfigError OPTION_INVALID also for a text without a time zone, which each process would read as its own
 */
export function readMoment(options: OptionReader, name: string): number {
  const given = options.value(name);
  const moment = momentOf(given);
  if (moment !== undefined && Number.isInteger(moment) && moment >= MIN_MS && moment <= MAX_MS) return moment;
  const isSeconds = typeof given === 'number' && given > 0 && given < MIN_MS;
  const hint = isSeconds ? ` (${given} would be in ${new Date(given).getUTCFullYear()}: multiply seconds by 1000)` : '';
  throw options.fail('OPTION_INVALID', name, `${RULE}${hint}`);
}

function momentOf(given: unknown): number | undefined {
  if (given instanceof Date) return given.getTime();
  if (typeof given === 'number') return given;
  if (typeof given !== 'string') return undefined;
  if (DATE.test(given)) return isDay(given) ? Date.parse(given) + DAY_MS : undefined;
  return MOMENT.test(given) && isDay(given.slice(0, 10)) ? Date.parse(given) : undefined;
}

/** False for the 31st of February, which `Date.parse` moves into March. */
function isDay(date: string): boolean {
  const parsed = Date.parse(date);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
}
