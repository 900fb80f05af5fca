import * as fc from 'fast-check';

import { showTime } from './show-time.js';

describe('showTime', () => {
  it.each([
    [0, '0 ms'],
    [11.2, '12 ms'],
    [2_950, '3.0 s'],
    [60_000, '1m'],
    [113_500, '1m 54s'],
    [6_960_000, '1h 56m'],
    [187_200_000, '2d 4h'],
  ])('shows %d ms as %s', (milliseconds, text) => {
    expect(showTime(milliseconds)).toBe(text);
  });

  it('never shows less than it is given', () => {
    const units: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 3.6e6, d: 8.64e7 };
    const valueOf = (text: string) =>
      [...text.matchAll(/([\d.]+) ?([a-z]+)/g)].reduce(
        (sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!,
        0,
      );

    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e10, noNaN: true }), (milliseconds) => {
        expect(valueOf(showTime(milliseconds))).toBeGreaterThanOrEqual(milliseconds - 1e-6);
      }),
    );
  });
});
