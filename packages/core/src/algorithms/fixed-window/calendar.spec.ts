import { Calendar } from './calendar.js';

describe('Calendar', () => {
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

  it('counts no day that clocks skip', () => {
    const calendar = new Calendar('day', 'Pacific/Apia', { month: 0, day: 0 });
    const noon = Date.parse('2011-12-29T12:00-10:00') * 1e3;

    const { ends, nextEnds } = calendar.around(noon);

    expect([ends, nextEnds]).toEqual(
      [Date.parse('2011-12-31T00:00+14:00'), Date.parse('2012-01-01T00:00+14:00')].map((each) => each * 1e3),
    );
    expect(calendar.ends(noon, 3).slice(1)).toEqual([ends, nextEnds]);
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
