import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { detachedCopy } from './detached-copy.js';

describe('a text of its own', () => {
  it('is the same text, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(detachedCopy(text)).toBe(text);
        expect(detachedCopy(text.slice(1))).toBe(text.slice(1));
      }),
    );
    expect(detachedCopy('half a \ud83d pair')).toBe('half a \ud83d pair');
    for (const letter of ['k', 'é', '👩']) expect(detachedCopy(letter.repeat(5_000))).toBe(letter.repeat(5_000));
  });

  it('holds on to nothing that it was cut from', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;

    const kept = Array.from({ length: 200 }, (_, index) => detachedCopy(`${index}-`.repeat(20_000).slice(0, 30)));
    collect();

    // All of them together are 10 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4e6);
    expect(kept).toHaveLength(200);
  });
});
