import * as fc from 'fast-check';
import { Temporal } from '@js-temporal/polyfill';
import { Calendar, PERIODS, type FirstDay, type Period } from './calendar.js';

const RUNS = 100;
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

describe('Calendar', () => {
  it('agrees with Temporal in all time zones, from 1970 to 2100', () => {
    const [from, to] = [Date.UTC(1970, 0, 3), Date.UTC(2100, 11, 31)];
    const place = fc.record({
      timeZone: fc.constantFrom(...ZONES),
      period: fc.constantFrom(...PERIODS),
      // Most changes of clocks are in some hours of the year, and near a begin one hour decides.
      time: fc.integer({ min: from, max: to }),
      month: fc.nat(11),
      day: fc.integer({ min: 1, max: 31 }),
    });

    const law = fc.property(place, ({ timeZone, period, time, month, day }) => {
      const first = { month, day: period === 'week' ? day % 7 : day };
      checkAround(new Calendar(period, timeZone, first), time, { period, timeZone, first });
    });

    expect(() => fc.assert(law, { numRuns: RUNS })).not.toThrow();
  });

  it.each([
    [
      'a day of 23 hours',
      'Europe/Berlin',
      'day',
      '2026-03-29T12:00+02:00',
      '2026-03-29T00:00+01:00',
      '2026-03-30T00:00+02:00',
    ],
    [
      'a day of 25 hours',
      'Europe/Berlin',
      'day',
      '2026-10-25T12:00+01:00',
      '2026-10-25T00:00+02:00',
      '2026-10-26T00:00+01:00',
    ],
    [
      'a day without midnight',
      'America/Sao_Paulo',
      'day',
      '2018-11-04T12:00-02:00',
      '2018-11-04T01:00-02:00',
      '2018-11-05T00:00-02:00',
    ],
    [
      'a day that begins twice',
      'America/St_Johns',
      'day',
      '2010-11-06T23:30-03:30',
      '2010-11-07T00:00-02:30',
      '2010-11-08T00:00-03:30',
    ],
    [
      'a day before one that is skipped',
      'Pacific/Apia',
      'day',
      '2011-12-29T12:00-10:00',
      '2011-12-29T00:00-10:00',
      '2011-12-31T00:00+14:00',
    ],
    ['a week', 'Asia/Kathmandu', 'week', '2026-11-26T12:00+05:45', '2026-11-23T00:00+05:45', '2026-11-30T00:00+05:45'],
    ['a year', 'UTC', 'year', '2028-02-28T23:59Z', '2027-02-28T00:00Z', '2028-02-29T00:00Z'],
  ] as const)('knows %s', (_name, timeZone, period, time, begins, ends) => {
    const first = period === 'year' ? { month: 1, day: 29 } : { month: 0, day: 0 };
    const around = new Calendar(period, timeZone, first).around(Date.parse(time) * 1e3);

    expect([around.begins, around.ends].map((each) => new Date(each / 1e3).toISOString())).toEqual(
      [begins, ends].map((each) => new Date(each).toISOString()),
    );
  });

  it('begins a month without its day on its last day', () => {
    const calendar = new Calendar('month', 'UTC', { month: 0, day: 31 });

    const ends = calendar.ends(Date.UTC(2027, 11, 31, 12) * 1e3, 4);

    expect(ends.map((each) => new Date(each / 1e3).toISOString().slice(0, 10))).toEqual([
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
    ]);
  });
});

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
