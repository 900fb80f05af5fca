import * as fc from 'fast-check';
import { dedupeKeys } from './script-request.js';

const key = fc.oneof(fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '\u{e9}', '\u{1f600}') }), fc.string());

describe('dedupeKeys', () => {
  it('keeps each key once, in the order of first appearance, and says where each given key is', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 100 }), (given) => {
        const { keys, indexes } = dedupeKeys(given);

        expect(keys).toEqual([...new Set(given)]);
        expect(given.map((_, place) => keys[indexes ? indexes[place]! : place])).toEqual(given);
      }),
    );
  });

  it.each([
    ['no key', []],
    ['one key', ['']],
    ['distinct keys', ['a', 'b', 'c']],
  ])('returns the given array and no indexes for %s', (_what, given) => {
    const distinct = dedupeKeys(given);

    expect(distinct.keys).toBe(given);
    expect(distinct.indexes).toBeUndefined();
  });

  it('reduces a hot key to one', () => {
    expect(dedupeKeys(['a', 'a', 'a'])).toEqual({ keys: ['a'], indexes: [0, 0, 0] });
  });

  it('leaves the given array unchanged', () => {
    const given = Object.freeze(['a', 'b', 'a']);

    expect(dedupeKeys(given)).toEqual({ keys: ['a', 'b'], indexes: [0, 1, 0] });
  });
});
