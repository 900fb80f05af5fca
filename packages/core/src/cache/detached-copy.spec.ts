import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { detachedCopy } from './detached-copy.js';

describe('detachedCopy', () => {
  it('returns an equal text, of any letters and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(detachedCopy(text)).toBe(text);
        expect(detachedCopy(text.slice(1))).toBe(text.slice(1));
      }),
    );
    expect(detachedCopy('half a \ud83d pair')).toBe('half a \ud83d pair');
    for (const letter of ['k', 'é', '👩']) expect(detachedCopy(letter.repeat(5_000))).toBe(letter.repeat(5_000));
  });

  it('holds no memory of the text it was cut from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;

    const copies = Array.from({ length: 200 }, (_, index) => detachedCopy(`${index}-`.repeat(20_000).slice(0, 30)));
    collect();

    // The whole texts are 10 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6);
    expect(copies).toHaveLength(200);
  });
});
