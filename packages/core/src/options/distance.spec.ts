import { assert, constantFrom, property, string } from 'fast-check';
import { distance } from './distance.js';

describe('distance', () => {
  it.each([
    ['windw', 'window', 1],
    ['limitt', 'limit', 1],
    ['kitten', 'sitting', 3],
    ['', 'tier', 4],
    ['same', 'same', 0],
  ])('counts the changes from %j to %j', (one, other, count) => {
    expect(distance(one, other)).toBe(count);
  });

  it('is a metric: symmetric, 0 only for equal texts, and never longer by a detour', () => {
    const text = string({ maxLength: 8, unit: constantFrom('a', 'b', 'c') });
    assert(
      property(text, text, text, (a, b, c) => {
        expect(distance(a, b)).toBe(distance(b, a));
        expect(distance(a, b) === 0).toBe(a === b);
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c));
      }),
    );
  });
});
