import * as fc from 'fast-check';
import { toldBy } from './question.js';

/** Numbers as a packed reply has them. */
function packed(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeDoubleLE(number, 8 * index);
  return bytes;
}

const largest = 2 ** 53 - 1 - 64;

describe('what a reply tells', () => {
  it.each([
    ['packed', packed(largest, -1, 0)],
    ['as numbers', [largest, -1, 0]],
    ['as texts', [String(largest), '-1', '0']],
    ['as some of both', [largest, '-1', 0]],
  ])('is its numbers %s', (_how, reply) => {
    expect(toldBy(reply)).toEqual([largest, -1, 0]);
  });

  it('is the same numbers however they come', () => {
    const integer = fc.integer({ min: -largest, max: largest });
    fc.assert(
      fc.property(fc.array(integer), (numbers) => {
        expect(toldBy(packed(...numbers))).toEqual(numbers);
        expect(toldBy([...numbers])).toEqual(numbers);
        expect(toldBy(numbers.map(String))).toEqual(numbers);
      }),
    );
  });

  it('is read from bytes that lie anywhere in those that have come', () => {
    const reply = Buffer.concat([Buffer.from('$24\r\n'), packed(3, largest, -1)]).subarray(5);

    expect(toldBy(reply)).toEqual([3, largest, -1]);
  });

  it('is nothing of a packed reply that was cut', () => {
    expect(() => toldBy(packed(1, 2).subarray(0, 12))).toThrow(RangeError);
  });

  it.each([
    ['texts', 'SLUICE_UNREADABLE'],
    ['bytes', Buffer.from('SLUICE_UNREADABLE')],
  ])('is error texts as %s, wherever they are', (_how, error) => {
    expect(toldBy([5, error, 7])).toEqual([5, 'SLUICE_UNREADABLE', 7]);
    expect(toldBy([5, [1, error, [error]], '7'])).toEqual([5, [1, 'SLUICE_UNREADABLE', ['SLUICE_UNREADABLE']], 7]);
  });

  it('is numbers in arrays of arrays', () => {
    expect(toldBy(['5', [1, '-1', [String(largest)]], 7])).toEqual([5, [1, -1, [largest]], 7]);
  });

  it.each([
    ['null', null],
    ['a number', 1],
    ['an array with nothing in a place', [1, null]],
  ])('is not read from %s, which no script replies with', (_what, reply) => {
    expect(() => toldBy(reply)).toThrow(TypeError);
  });
});
