import * as fc from 'fast-check';
import { unshared } from './unshared.js';

describe('a text of its own', () => {
  it('is the same text, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(unshared(text)).toBe(text);
        expect(unshared(text.slice(1))).toBe(text.slice(1));
      }),
    );
    expect(unshared('half a \ud83d pair')).toBe('half a \ud83d pair');
  });
});
