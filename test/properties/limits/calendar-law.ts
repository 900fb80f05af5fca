import { Temporal } from '@js-temporal/polyfill';
import * as fc from 'fast-check';
import {
  Calendar,
  PERIODS,
  type FirstDay,
  type Period,
} from '../../../packages/core/src/algorithms/fixed-window/calendar.js';

/** The time zones of this Node's ICU. */
export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Holds a calendar to Temporal, from 1970 to 2100. */
export function lawOf(zones: readonly string[]): fc.IProperty<[Case]> {
  const cases = fc.record({
    timeZone: fc.constantFrom(...zones),
    period: fc.constantFrom(...PERIODS),
    time: fc.integer({ min: Date.UTC(1970, 0, 3), max: Date.UTC(2100, 11, 31) }),
    month: fc.nat(11),
    day: fc.integer({ min: 1, max: 31 }),
  });
  return fc.property(cases, ({ timeZone, period, time, month, day }) => {
    const first = { month, day: period === 'week' ? day % 7 : day };
    checkAround(new Calendar(period, timeZone, first), time, { period, timeZone, first });
  });
}

interface Case {
  readonly timeZone: string;
  readonly period: Period;
  readonly time: number;
  readonly month: number;
  readonly day: number;
}

interface Place {
  readonly period: Period;
  readonly timeZone: string;
  readonly first: FirstDay;
}

function checkAround(calendar: Calendar, time: number, place: Place): void {
  const { begins, ends, nextEnds } = calendar.around(time * 1e3);
  // Each begin is one by Temporal, and the three follow each other.
  const all = [begins, ends, nextEnds].map((each) => each / 1e3);
  const expected = temporalBegins(time, place);
  if (!(begins <= time * 1e3 && time * 1e3 < ends) || all.some((each, at) => each !== expected[at])) {
    throw new Error(`${JSON.stringify(place)} at ${time}: ${all.join()}, and Temporal has ${expected.join()}`);
  }
  // One millisecond decides.
  if (calendar.around(ends).begins !== ends || calendar.around(ends - 1).ends !== ends) throw new Error('a gap');
}

/** The begins of a period and of the two behind it, by the days of Temporal. */
function temporalBegins(time: number, { period, timeZone, first }: Place): readonly number[] {
  const today = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDate();
  const starts = Array.from(
    { length: 7 },
    (_, index) =>
      dayOf(today, index - 3, { period, first })
        .toZonedDateTime({ timeZone })
        .startOfDay().epochMilliseconds,
  );
  const at = starts.findLastIndex((each) => each <= time);
  return starts.slice(at, at + 3);
}

/** The first day of a period, by the number of periods after the one of today's month or year. */
function dayOf(
  today: Temporal.PlainDate,
  shift: number,
  { period, first }: Omit<Place, 'timeZone'>,
): Temporal.PlainDate {
  if (period === 'day') return today.add({ days: shift });
  if (period === 'week')
    return today.subtract({ days: (today.dayOfWeek - 1 - first.day + 7) % 7 }).add({ weeks: shift });
  const start = period === 'year' ? today.with({ month: first.month + 1, day: 1 }) : today.with({ day: 1 });
  const moved = start.add(period === 'year' ? { years: shift } : { months: shift });
  return moved.with({ day: first.day }, { overflow: 'constrain' });
}
