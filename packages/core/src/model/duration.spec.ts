import * as fc from 'fast-check';

import { formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    [60_000, 60_000_000],
    [1, 1_000],
    [1.5, 1_500],
    [1.001, 1_001],
    [0, 0],
    ['1ms', 1_000],
    ['1s', 1_000_000],
    ['15m', 900_000_000],
    ['1h', 3_600_000_000],
    ['30d', 2_592_000_000_000],
    ['1w', 604_800_000_000],
    ['0.5s', 500_000],
    ['2.3h', 8_280_000_000],
    ['8.2d', 708_480_000_000],
    ['15 m', 900_000_000],
  ])('reads %p as %d microseconds', (duration, microseconds) => {
    expect(parseDuration(duration)).toBe(microseconds);
  });

  const texts = ['', 'm', '15', '15 minutes', '1 h 30 m', '1h30m', ' 1s', '1s ', '1s\n', '-1s', '+1s', '1e3s', '0x10s'];
  const others = ['1.s', '.5s', '1M', '١s', '0.0000001s', '0.3333ms', '999999999999w'];
  const values = [-1, 0.0001, 1e21, NaN, Infinity, null, undefined, true, 5n, {}, ['1s']];

  it.each([...texts, ...others, ...values].map((value) => [value]))('returns undefined for %p', (duration) => {
    expect(parseDuration(duration)).toBeUndefined();
  });

  it('reads the texts of formatDuration, to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 8.64e10 }), (microseconds) => {
        expect(parseDuration(formatDuration(microseconds))).toBe(microseconds);
      }),
    );
  });
});

describe('formatDuration', () => {
  it.each([
    [900_000_000, '15m'],
    [1_500_000, '1500ms'],
    [86_400_000_000, '1d'],
    [604_800_000_000, '1w'],
    [90_000_000, '90s'],
    [500, '0.5ms'],
    [1, '0.001ms'],
  ])('writes %d microseconds as %s', (microseconds, text) => {
    expect(formatDuration(microseconds)).toBe(text);
  });
});
