import type { OptionReader } from '../../options/option-reader.js';
import { Calendar, PERIODS, WEEKDAYS, type FirstDay, type Period } from './calendar.js';

/** The names of the options of a period. */
export const PERIOD_OPTIONS = ['period', 'timeZone', 'startsOn'] as const;

/** The first day of a month (1 to 31), of a week, or of a year (`'MM-DD'`). */
export type PeriodStart = number | Weekday | MonthAndDay;
export type Weekday = (typeof WEEKDAYS)[number];
export type MonthAndDay = `${number}-${number}`;

/** Units in a period of a calendar. `Start` is what may stand for its first day. */
export interface PeriodOptions<Limit = number, Start = PeriodStart> {
  algorithm: 'fixed-window';
  /**
   * Units that a period allows, at least 1: requests, or what they cost.
   *
   * @example limit: 100_000
   */
  limit: Limit;
  /**
   * In place of `window`: a period of the calendar of `timeZone`. Waits and resets are to its true end.
   *
   * @example period: 'month'
   */
  period: Period;
  /**
   * A time zone of IANA, in which periods begin.
   *
   * @default 'UTC'
   * @example timeZone: 'Europe/Berlin'
   */
  timeZone?: string;
  /**
   * The first day: of a month 1 to 31, where a day that a month lacks is its last one; of a week `'monday'` to `'sunday'`; of a
   * year its month and day. A function of the subject gives each customer a day. Another first day applies when the period that
   * runs has ended.
   *
   * @default 1, 'monday', '01-01'
   * @example startsOn: ({ customer }) => customer.billingDay
   */
  startsOn?: Start;
  window?: never;
  anchor?: never;
}

/** A calendar that options describe. */
export interface NamedCalendar {
  readonly calendar: Calendar;
  /** What a stored state depends on. */
  readonly name: string;
  /** What its decisions depend on. */
  readonly rule: string;
}

const DAY_RULES: Readonly<Record<Period, string>> = {
  day: 'must be left out: a day begins with itself',
  week: "must be a weekday, 'monday' to 'sunday'",
  month: 'must be a day of a month, 1 to 31',
  year: "must be a month and a day, such as '04-01'",
};

const MONTH_AND_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const JANUARY_FIRST: FirstDay = { month: 0, day: 1 };

/** The calendar of options with a period; undefined without one. @throws ConfigError */
export function calendarOf(options: OptionReader): NamedCalendar | undefined {
  if (!options.has('period')) {
    for (const name of ['timeZone', 'startsOn']) {
      if (options.has(name))
        throw options.fail('OPTION_INVALID', name, "needs a period: write period: 'month' in place of window");
    }
    return undefined;
  }
  for (const name of ['window', 'anchor']) {
    if (options.has(name))
      throw options.fail(
        'OPTION_INVALID',
        name,
        'must not stand beside period, which has its own length: leave it out',
      );
  }
  const period = options.choice<Period>('period', PERIODS, 'month');
  const zone = options.value('timeZone') ?? 'UTC';
  const start = options.value('startsOn');
  // Where each subject has its own, this stands for any of them.
  const first = firstDayOf(period, typeof start === 'function' ? undefined : start);
  if (first === undefined) throw options.fail('OPTION_INVALID', 'startsOn', DAY_RULES[period]);
  try {
    if (typeof zone !== 'string') throw new RangeError('not a string');
    const calendar = new Calendar(period, zone, first);
    return { calendar, name: `${period} ${zone}`, rule: `${first.month} ${first.day}` };
  } catch {
    throw options.fail('OPTION_INVALID', 'timeZone', "must be a time zone of IANA, such as 'Europe/Berlin'");
  }
}

function firstDayOf(period: Period, start: unknown): FirstDay | undefined {
  if (period === 'day') return start === undefined ? JANUARY_FIRST : undefined;
  if (period === 'week') {
    const day = start === undefined ? 0 : WEEKDAYS.indexOf(start as Weekday);
    return day < 0 ? undefined : { month: 0, day };
  }
  if (start === undefined) return JANUARY_FIRST;
  if (period === 'month')
    return Number.isInteger(start) && (start as number) >= 1 && (start as number) <= 31
      ? { month: 0, day: start as number }
      : undefined;
  const [, month, day] = (typeof start === 'string' && MONTH_AND_DAY.exec(start)) || [];
  return month === undefined ? undefined : { month: Number(month) - 1, day: Number(day) };
}
