import type { OptionRow } from '@sluice/core/internal';

const DAY_MS = 8.64e7;
const DATE = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
/** September 2001. Seconds since 1970 are smaller until the year 33658. */
const MIN_MS = 1e12;
/** The year 9999. */
const MAX_MS = 253_402_300_799_999;
const WORDS = "a Date, milliseconds since 1970 or a text such as '2027-01-31T12:00:00Z'";

/** No text without a time zone, which each process would read as its own. */
export const MOMENT_ROW: OptionRow = { is: isMoment, words: WORDS };

/** A moment in milliseconds since 1970. Undefined for what is none. */
export function readMoment(given: unknown): number | undefined {
  return isMoment(given) === true ? momentOf(given) : undefined;
}

function isMoment(given: unknown): boolean | string {
  const moment = momentOf(given);
  if (moment !== undefined && Number.isInteger(moment) && moment >= MIN_MS && moment <= MAX_MS) return true;
  if (typeof given !== 'number' || !(given > 0 && given < MIN_MS)) return false;
  return `must be ${WORDS} (${given} would be in ${new Date(given).getUTCFullYear()}: multiply seconds by 1000)`;
}

/** A moment in milliseconds since 1970. A date without a time is the end of that day in UTC. */
export function momentOf(given: unknown): number | undefined {
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
