const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY_TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;
const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since 1970 of `10/Oct/2026:13:55:36 -0700`, as nginx and Apache write it. NaN for another string. */
export function dayTime(text: string): number {
  const match = DAY_TIME.exec(text);
  if (match === null) return Number.NaN;
  const [, day, month, year, hours, minutes, seconds, sign, zoneHours, zoneMinutes] = match;
  const index = MONTHS.indexOf(month!);
  if (index === -1) return Number.NaN;
  const local = Date.UTC(Number(year), index, Number(day), Number(hours), Number(minutes), Number(seconds));
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 6e4;
  return sign === '-' ? local + zone : local - zone;
}

/** Of `10/Oct/2026:13:55:36.123`, as HAProxy writes it without its zone: as if it were UTC. NaN for another string. */
export function zonelessTime(text: string): number {
  const [, seconds, fraction = '0'] = /^(\S+:\d{2})(\.\d{1,6})?$/.exec(text) ?? [];
  return seconds === undefined ? Number.NaN : dayTime(`${seconds} +0000`) + Math.round(Number(fraction) * 1e6) / 1e3;
}

/** Milliseconds since 1970 of an ISO 8601 time with its zone. NaN for another string. */
export function isoTime(text: string): number {
  return ISO.test(text) ? Date.parse(text) : Number.NaN;
}

/**
 * Milliseconds since 1970 of a count since then, in the unit that its size tells: s, ms, us or ns. NaN outside 1990 to
 * 2200.
 */
export function epochTime(value: number): number {
  const milliseconds = value < 1e11 ? value * 1e3 : value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6;
  // To the microsecond: fractions of seconds are not exact.
  return milliseconds > 6.3e11 && milliseconds < 7.3e12 ? Math.round(milliseconds * 1e3) / 1e3 : Number.NaN;
}

/** A time in any of these spellings. NaN for anything else. */
export function anyTime(value: unknown): number {
  if (typeof value === 'number') return epochTime(value);
  if (typeof value !== 'string') return Number.NaN;
  if (/^\d+(?:\.\d+)?$/.test(value)) return epochTime(Number(value));
  const iso = isoTime(value);
  return Number.isNaN(iso) ? dayTime(value) : iso;
}

/** True for a time that is written finer than in seconds, also for one on a whole second. */
export function isFineTime(value: unknown): boolean {
  // Counts of milliseconds, and of less.
  if (typeof value === 'number') return value >= 1e11 || !Number.isInteger(value);
  return typeof value === 'string' && (value.includes('.') || /^\d{12,}$/.test(value));
}
