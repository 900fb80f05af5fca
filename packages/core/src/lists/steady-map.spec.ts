import * as fc from 'fast-check';
import { SteadyMap } from './steady-map.js';

describe('SteadyMap', () => {
  it('has what a Map has, also beyond the size at which it is split', () => {
    const key = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.boolean()), { maxLength: 50 }),
        fc.constantFrom(0, 3_000),
        (steps, filled) => {
          const map = new SteadyMap<number>();
          const model = new Map<number | bigint, number>();
          for (let each = 0; each < filled; each += 1) {
            map.set(each * 256, each);
            model.set(each * 256, each);
          }

          for (const [index, [each, isSet]] of steps.entries()) {
            if (isSet) {
              map.set(each, index);
              model.set(each, index);
            } else {
              map.delete(each);
              model.delete(each);
            }
          }

          expect(map.size).toBe(model.size);
          expect([...map.values()].toSorted((one, other) => one - other)).toEqual(
            [...model.values()].toSorted((one, other) => one - other),
          );
          expect([...model].filter(([each, value]) => map.get(each) !== value)).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });
});
