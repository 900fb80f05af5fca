import * as fc from 'fast-check';
import { BoundedCache } from './bounded-cache.js';

describe('a map of what is recent', () => {
  it('holds what was set, and what was set last', () => {
    const recent = new BoundedCache<number>(8);

    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);

    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, 2, undefined]);
  });

  it('says whether it holds anything', () => {
    const recent = new BoundedCache<number>(8);
    const before = recent.isEmpty;

    recent.set('a', 1);
    const between = recent.isEmpty;
    recent.delete('a');

    expect([before, between, recent.isEmpty]).toEqual([true, false, true]);
  });

  it('deletes what was set long ago as well', () => {
    const recent = new BoundedCache<number>(4);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);

    recent.delete('a');

    expect([recent.get('a'), recent.get('b')]).toEqual([undefined, 2]);
  });

  it('holds the newest half of its size at least, and its size at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 200 }), (half, count) => {
        const recent = new BoundedCache<number>(2 * half);

        for (let index = 0; index < count; index += 1) recent.set(`${index}`, index);

        const held = Array.from({ length: count }, (_, index) => recent.get(`${index}`)).filter(
          (it) => it !== undefined,
        );
        expect(held.length).toBeLessThanOrEqual(2 * half);
        expect(held.length).toBeGreaterThanOrEqual(Math.min(half, count));
        expect(held.at(-1)).toBe(count - 1);
      }),
    );
  });
});
