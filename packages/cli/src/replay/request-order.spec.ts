import * as fc from 'fast-check';
import { orderOf } from './request-order.js';

describe('orderOf', () => {
  it('has the order of a stable sort, for times in any order', () => {
    const times = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 500 }),
      // Two logs, one behind the other.
      fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 200 }).map((all) => {
        const sorted = all.toSorted((one, other) => one - other);
        return [...sorted, ...sorted];
      }),
    );

    expect(() =>
      fc.assert(
        fc.property(times, (all) => {
          const expected = all.map((_, row) => row).toSorted((one, other) => all[one]! - all[other]!);
          const order = orderOf(Float64Array.from([...all, -1]), all.length);
          return expected.length === order.length && expected.every((row, at) => row === order[at]);
        }),
      ),
    ).not.toThrow();
  });
});
