import * as fc from 'fast-check';
import { niceTicks, sinceLabel, timeLabel, timeTicks } from './scale.js';

describe('niceTicks', () => {
  it('reaches the top with few round whole numbers', () => {
    expect(() =>
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (top) => {
          const ticks = niceTicks(top);
          return ticks[0] === 0 && ticks.at(-1)! >= top && ticks.length <= 6 && ticks.every(Number.isInteger);
        }),
      ),
    ).not.toThrow();
  });
});

describe('timeTicks', () => {
  it('stays within the span, with at most nine', () => {
    expect(() =>
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 10 ** 12 }),
          fc.integer({ min: 1_000, max: 10 ** 10 }),
          (from, length) => {
            const ticks = timeTicks(from, from + length);
            return ticks.length <= 9 && ticks.every((tick) => tick >= from && tick <= from + length);
          },
        ),
      ),
    ).not.toThrow();
  });

  it('has round hours for a day, and a date at midnight', () => {
    const ticks = timeTicks(Date.UTC(2026, 10, 20, 1), Date.UTC(2026, 10, 21, 1));

    expect(ticks.map((tick) => timeLabel(tick, ticks))).toEqual([
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      'Nov 21',
    ]);
  });
});

describe('sinceLabel', () => {
  it('has one unit', () => {
    expect([0, 500, 30_000, 90_000, 300_000, 3.6e6].map(sinceLabel)).toEqual([
      '0',
      '0.5 s',
      '30 s',
      '90 s',
      '5 m',
      '1 h',
    ]);
  });
});
