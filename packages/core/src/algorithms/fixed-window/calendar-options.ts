import type { OptionReader } from '../../options/option-reader.js';
import { ANY, CRON, type OptionRow, type OptionRows, type CombinationRule } from '../../options/option-row.js';
import { Calendar, PERIODS, WEEKDAYS, type FirstDay, type Period } from './calendar.js';

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

const MONTH_AND_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const JANUARY_FIRST: FirstDay = { month: 0, day: 1 };
/** Weekdays count from 0. */
const MONDAY: FirstDay = { month: 0, day: 0 };

/** What the first day of a period must be. */
export const FIRST_DAYS = {
  day: { oneOf: [], words: 'left out: a day begins with itself' },
  week: {
    oneOf: WEEKDAYS,
    words: "a weekday, 'monday' to 'sunday'",
    // Sunday is 0 or 7.
    instead: Object.fromEntries(
      Array.from({ length: 8 }, (_, day) => [day, `must be a weekday: write '${WEEKDAYS[(day + 6) % 7]}'`]),
    ),
  },
  month: { integer: [1, 31], words: 'a day of a month, 1 to 31' },
  year: { is: MONTH_AND_DAY, words: "a month and a day, such as '04-01'" },
} as const satisfies Readonly<Record<Period, OptionRow>>;

/** The options of a period. */
export const PERIOD_OPTIONS = {
  period: {
    oneOf: PERIODS,
    insteadOf: [
      [/^(?:\d+\s*)?(?:h|hours?|hourly)$/i, "is no hour: write window: '1h', anchor: 'clock'"],
      [CRON, "is no schedule: write period: 'month'"],
    ],
  },
  timeZone: { is: isTimeZone, words: "a time zone of IANA, such as 'Europe/Berlin'", otherwise: 'UTC' },
  startsOn: ANY,
} as const satisfies OptionRows;

const NEEDS_PERIOD = "needs a period: write period: 'month' in place of window";
const OWN_LENGTH = 'cannot be combined with period, which has its own length: leave it out';

export const PERIOD_RULES: readonly CombinationRule[] = [
  { option: 'timeZone', without: 'period', rule: NEEDS_PERIOD },
  { option: 'startsOn', without: 'period', rule: NEEDS_PERIOD },
  { option: 'window', beside: 'period', rule: OWN_LENGTH },
  { option: 'anchor', beside: 'period', rule: OWN_LENGTH },
];

/** The calendar of options with a `period`. It is undefined for options without a period. @throws ConfigError */
export function calendarOf(options: OptionReader): NamedCalendar | undefined {
  const { period, timeZone } = options.read(PERIOD_OPTIONS);
  if (period === undefined) return undefined;
  const first = firstDayOf(period, options);
  const calendar = new Calendar(period, timeZone as string, first);
  return { calendar, name: `${period} ${timeZone as string}`, rule: `${first.month} ${first.day}` };
}

/** Where each subject has its own, the default stands for any of them. */
function firstDayOf(period: Period, options: OptionReader): FirstDay {
  const otherwise = period === 'week' ? MONDAY : JANUARY_FIRST;
  if (typeof options.value('startsOn') === 'function') return otherwise;
  const start = options.one('startsOn', FIRST_DAYS[period]);
  if (start === undefined) return otherwise;
  if (period === 'week') return { month: 0, day: WEEKDAYS.indexOf(start as Weekday) };
  if (period === 'month') return { month: 0, day: start as number };
  const [month, day] = (start as string).split('-');
  return { month: Number(month) - 1, day: Number(day) };
}

function isTimeZone(zone: unknown): boolean {
  try {
    return typeof zone === 'string' && new Calendar('day', zone, JANUARY_FIRST) instanceof Calendar;
  } catch {
    return false;
  }
}
