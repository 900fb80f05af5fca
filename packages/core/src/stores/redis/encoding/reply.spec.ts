import * as fc from 'fast-check';
import { parseReply } from './reply.js';

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
