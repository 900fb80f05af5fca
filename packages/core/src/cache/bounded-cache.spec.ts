import * as fc from 'fast-check';
import { BoundedCache } from './bounded-cache.js';

describe('BoundedCache', () => {
  it('returns the newest value of a key', () => {
    const cache = new BoundedCache<number>(8);

    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);

    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, 2, undefined]);
  });

  it('reports whether it is empty', () => {
    const cache = new BoundedCache<number>(8);
    const before = cache.isEmpty;

    cache.set('a', 1);
    const between = cache.isEmpty;
    cache.delete('a');

    expect([before, between, cache.isEmpty]).toEqual([true, false, true]);
  });

  it('deletes old entries too', () => {
    const cache = new BoundedCache<number>(4);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);

    cache.delete('a');

    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 2]);
  });

  it('holds between half of its size and its size, the newest entries', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 200 }), (half, count) => {
        const cache = new BoundedCache<number>(2 * half);

        for (let index = 0; index < count; index += 1) cache.set(`${index}`, index);

        const held = Array.from({ length: count }, (_, index) => cache.get(`${index}`)).filter(
          (it) => it !== undefined,
        );
        expect(held.length).toBeLessThanOrEqual(2 * half);
        expect(held.length).toBeGreaterThanOrEqual(Math.min(half, count));
        expect(held.at(-1)).toBe(count - 1);
      }),
    );
  });
});
