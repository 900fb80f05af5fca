import * as fc from 'fast-check';
import { dedupeKeys, parseReply } from './script-request.js';

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

/** Numbers as bytes of a packed reply. */
function packed(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeDoubleLE(number, 8 * index);
  return bytes;
}

const largest = 2 ** 53 - 1 - 64;

describe('parseReply', () => {
  it.each([
    ['packed', packed(largest, -1, 0)],
    ['as an array', [largest, -1, 0]],
    ['as strings', [String(largest), '-1', '0']],
    ['as numbers and strings', [largest, '-1', 0]],
  ])('reads numbers that come %s', (_how, reply) => {
    expect(parseReply(reply)).toEqual([largest, -1, 0]);
  });

  it('reads the same numbers from every form', () => {
    const integer = fc.integer({ min: -largest, max: largest });
    fc.assert(
      fc.property(fc.array(integer), (numbers) => {
        expect(parseReply(packed(...numbers))).toEqual(numbers);
        expect(parseReply([...numbers])).toEqual(numbers);
        expect(parseReply(numbers.map(String))).toEqual(numbers);
      }),
    );
  });

  it('reads packed numbers at any offset of a buffer', () => {
    const reply = Buffer.concat([Buffer.from('$24\r\n'), packed(3, largest, -1)]).subarray(5);

    expect(parseReply(reply)).toEqual([3, largest, -1]);
  });

  it('throws for a packed reply that was cut', () => {
    expect(() => parseReply(packed(1, 2).subarray(0, 12))).toThrow(RangeError);
  });

  it.each([
    ['strings', 'SLUICE_UNREADABLE'],
    ['bytes', Buffer.from('SLUICE_UNREADABLE')],
  ])('reads error texts as %s, at any depth', (_how, error) => {
    expect(parseReply([5, error, 7])).toEqual([5, 'SLUICE_UNREADABLE', 7]);
    expect(parseReply([5, [1, error, [error]], '7'])).toEqual([5, [1, 'SLUICE_UNREADABLE', ['SLUICE_UNREADABLE']], 7]);
  });

  it('reads numbers in nested arrays', () => {
    expect(parseReply(['5', [1, '-1', [String(largest)]], 7])).toEqual([5, [1, -1, [largest]], 7]);
  });

  it.each([
    ['null', null],
    ['a number', 1],
    ['an array with an empty place', [1, null]],
  ])('throws for %s, which no script replies with', (_what, reply) => {
    expect(() => parseReply(reply)).toThrow(TypeError);
  });
});
