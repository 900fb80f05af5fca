import * as fc from 'fast-check';
import { SpanIds } from './span-ids.js';
import { spanOf } from './span.js';

describe('SpanIds', () => {
  it('numbers texts in the order in which they are added, and finds each by its bytes', () => {
    expect(() =>
      fc.assert(
        // Few letters, so that texts begin alike and have places next to each other.
        fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '1', 'é', '€'), maxLength: 6 })), (texts) => {
          const ids = new SpanIds();
          const known: string[] = [];
          for (const text of texts) {
            if (ids.idOf(spanOf(text)) !== known.indexOf(text)) return false;
            if (!known.includes(text) && known.push(text) - 1 !== ids.add(spanOf(text))) return false;
          }
          return ids.size === known.length && known.every((text, id) => ids.idOf(spanOf(text)) === id);
        }),
      ),
    ).not.toThrow();
  });

  it('takes any number of texts', () => {
    const ids = new SpanIds();
    const texts = Array.from({ length: 20_000 }, (_, index) => `10.${index >> 8}.${index & 255}.7`);
    for (const text of texts) ids.add(spanOf(text));

    expect(texts.filter((text, id) => ids.idOf(spanOf(text)) !== id)).toEqual([]);
    expect(ids.idOf(spanOf('10.0.0.70'))).toBe(-1);
  });

  it('finds a text among others in a line', () => {
    const ids = new SpanIds();
    ids.add(spanOf('203.0.113.7'));

    expect(ids.idOf({ bytes: Buffer.from('at 203.0.113.7 - '), start: 3, end: 14 })).toBe(0);
  });
});
