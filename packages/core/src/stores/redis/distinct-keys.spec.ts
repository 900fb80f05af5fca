import * as fc from 'fast-check';
import { distinctKeys, RepeatTable, type DistinctKeys } from './distinct-keys.js';

/** What `distinctKeys` is to find. */
function model(keys: readonly string[]): DistinctKeys {
  const numbers = new Map<string, number>();
  for (const key of keys) if (!numbers.has(key)) numbers.set(key, numbers.size);
  if (numbers.size === keys.length) return { keys, numbers: undefined };
  return { keys: [...numbers.keys()], numbers: keys.map((key) => numbers.get(key)!) };
}

/** Keys of one length, with the same characters where a sample is taken. */
const alike = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('', 'x'.repeat(9), 'y'.repeat(57)), fc.nat(9))
  .map(([before, middle, after]) => `${before}${middle}${after}`);

const some = fc.string({ maxLength: 60 });
const few = fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '\u{e9}', '\u{1f600}') });
const calls = fc.array(fc.array(fc.oneof(alike, few, some), { maxLength: 300, size: 'max' }), {
  minLength: 1,
  maxLength: 20,
});

/** As many keys, all of them different, that begin and end alike. */
function different(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `rl:{${index.toString(36).padStart(12, '0')}}:hour:fw000`);
}

describe('the keys of a call', () => {
  it('are each there once, in the order in which they come first, and numbered, call after call', () => {
    fc.assert(
      fc.property(calls, (each) => {
        const found = each.map(distinctKeys);

        expect(found).toEqual(each.map(model));
      }),
    );
  });

  it('are found where the table counts anew', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 1_000 }), (each, last) => {
        const table = new RepeatTable(last);

        const found = each.map((keys) => table.distinct(keys));

        expect(found).toEqual(each.map(model));
      }),
    );
  });

  it('are told apart where all of the samples are the same', () => {
    const keys = Array.from({ length: 120 }, (_, index) => `${index % 100}`.padStart(3, '0') + 'x'.repeat(20) + '...');

    expect(distinctKeys(keys)).toEqual(model(keys));
  });

  it.each([
    ['none', []],
    ['one', ['a']],
    ['one that is empty', ['']],
    ['many', different(100)],
  ])('are those that were given where all are different, and have no numbers: %s', (_many, keys) => {
    const found = distinctKeys(keys);

    expect(found.keys).toBe(keys);
    expect(found.numbers).toBeUndefined();
  });

  it('are found where there are more of them than ever before, and where there are few again', () => {
    const [many, more] = [different(3_000), different(9_000)];
    const sequence = [
      many,
      [...many, ...many],
      ['a', 'b', 'a'],
      more,
      [...more, ...more.toReversed()],
      ['b', 'a', 'b'],
    ];

    const found = sequence.map(distinctKeys);

    expect(found).toEqual(sequence.map(model));
  });

  it('are not taken for those of a former call', () => {
    const keys = different(10);

    const found = [distinctKeys(keys), distinctKeys(keys), distinctKeys(keys.toReversed())];

    expect(found.map(({ numbers }) => numbers)).toEqual([undefined, undefined, undefined]);
  });

  it('are left as they were', () => {
    const keys = Object.freeze(['a', 'b', 'a']);

    expect(distinctKeys(keys)).toEqual({ keys: ['a', 'b'], numbers: [0, 1, 0] });
    expect(keys).toEqual(['a', 'b', 'a']);
  });
});
