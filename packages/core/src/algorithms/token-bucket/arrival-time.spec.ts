import * as fc from 'fast-check';
import { subtract, timeOf, unitsBegun, unitsIn } from './arrival-time.js';

describe('An arrival time', () => {
  const interval = fc
    .tuple(
      fc.integer({ min: 1, max: 9e7 }),
      fc.integer({ min: 1e3, max: 400 * 8.64e10 }),
      fc.integer({ min: 1, max: 9e7 }),
    )
    .filter(([limit, window, capacity]) => capacity * (window / limit) <= 400 * 8.64e10)
    .map(([limit, window, capacity]) => ({
      limit,
      window,
      capacity,
      quotient: Math.floor(window / limit),
      remainder: window % limit,
    }));
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('holds no unit of a time below 0', () => {
    fc.assert(
      fc.property(interval, share, (given, part) => {
        const [ticks, rest] = timeOf(1 + Math.floor((given.capacity - 1) * part), given);

        expect(unitsIn(-ticks, -rest, given)).toBe(0);
      }),
    );
  });

  it('holds one unit less when a part of it is missing', () => {
    fc.assert(
      fc.property(interval, share, (given, part) => {
        const units = 1 + Math.floor((given.capacity - 1) * part);
        const time = subtract(timeOf(units, given), [0, 1], given.limit);

        fc.pre(given.limit > 1);
        expect(unitsIn(...timeOf(units, given), given)).toBe(units);
        expect(unitsIn(...time, given)).toBe(units - 1);
        expect(unitsBegun(time, given)).toBe(units);
      }),
      { examples: [[{ limit: 7, window: 400 * 8.64e10, capacity: 7, quotient: 4937142857142, remainder: 6 }, 1]] },
    );
  });
});
