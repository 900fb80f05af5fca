import * as fc from 'fast-check';
import { worstWindow } from './worst-window.js';

describe('worstWindow', () => {
  it('is the most that begins anywhere', () => {
    const charges = fc
      .array(fc.record({ time: fc.integer({ min: 0, max: 500 }), units: fc.nat(4) }), { maxLength: 60 })
      .map((all) => all.toSorted((one, other) => one.time - other.time));

    expect(() =>
      fc.assert(
        fc.property(charges, fc.integer({ min: 1, max: 200 }), (all, window) => {
          const sums = all.map(({ time: start }) =>
            all.filter(({ time }) => time >= start && time < start + window).reduce((sum, { units }) => sum + units, 0),
          );
          return worstWindow(all, window) === Math.max(0, ...sums);
        }),
      ),
    ).not.toThrow();
  });

  it('counts microseconds exactly', () => {
    const charges = [0.1, 0.2, 0.3].map((time) => ({ time, units: 1 }));

    expect([worstWindow(charges, 0.2), worstWindow(charges, 0.201)]).toEqual([2, 3]);
  });
});
