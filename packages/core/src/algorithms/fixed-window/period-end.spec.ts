import * as fc from 'fast-check';

import { Calendar, PERIODS } from './calendar.js';
import { endText } from './period-end.js';

const FIRST = { month: 0, day: 1 };
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Africa/Cairo',
] as const;
const BEGIN = Date.UTC(2020, 0, 1);
const END = Date.UTC(2040, 0, 1);

describe('endText', () => {
  it.each([
    ['a month', 'month', 'Europe/Berlin', FIRST, '2026-12-01T00:00+01:00', '1 December (Europe/Berlin)'],
    ['a month of a billing day', 'month', 'UTC', { month: 0, day: 31 }, '2027-02-28T00:00Z', '28 February (UTC)'],
    [
      'a week',
      'week',
      'Asia/Kathmandu',
      { month: 0, day: 0 },
      '2026-11-30T00:00+05:45',
      '30 November (Asia/Kathmandu)',
    ],
    ['a year', 'year', 'UTC', { month: 3, day: 1 }, '2027-04-01T00:00Z', '1 April (UTC)'],
    ['a day', 'day', 'Europe/Berlin', FIRST, '2026-11-30T00:00+01:00', '30 November at 00:00 (Europe/Berlin)'],
    [
      'a day without midnight',
      'day',
      'America/Sao_Paulo',
      FIRST,
      '2018-11-04T01:00-02:00',
      '4 November at 01:00 (America/Sao_Paulo)',
    ],
    [
      'a month that begins at one',
      'month',
      'America/Sao_Paulo',
      { month: 0, day: 4 },
      '2018-11-04T01:00-02:00',
      '4 November at 01:00 (America/Sao_Paulo)',
    ],
  ] as const)('names the end of %s', (_what, period, timeZone, first, end, text) => {
    expect(endText(new Calendar(period, timeZone, first))(Date.parse(end))).toBe(text);
  });

  it('names the true end where the clock of the store is off by minutes', () => {
    const words = endText(new Calendar('month', 'UTC', FIRST));
    const end = Date.parse('2026-12-01T00:00Z');

    expect([-299_000, 0, 299_000].map((skew) => words(end + skew))).toEqual(Array(3).fill('1 December (UTC)'));
  });

  it('names the own end of a period whose first day has changed', () => {
    const words = endText(new Calendar('month', 'UTC', FIRST));

    expect(words(Date.parse('2026-12-15T00:00Z') + 900)).toBe('15 December (UTC)');
    expect(words(Date.parse('2026-12-01T00:00Z'))).toBe('1 December (UTC)');
  });

  it('names the day and the time that a calendar of the platform shows, at any time of any period', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PERIODS),
        fc.constantFrom(...ZONES),
        fc.integer({ min: BEGIN, max: END }),
        (period, timeZone, now) => {
          const calendar = new Calendar(period, timeZone, FIRST);
          const end = calendar.around(now * 1e3).ends / 1e3;

          const date = new Date(end).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone });
          const clock = new Date(end).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
          const shown = period === 'day' || clock !== '00:00' ? `${date} at ${clock}` : date;
          expect(endText(calendar)(end)).toBe(`${shown} (${timeZone})`);
        },
      ),
    );
  });
});
