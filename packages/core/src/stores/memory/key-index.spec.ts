import * as fc from 'fast-check';

import { KeyIndex, NONE } from './key-index.js';

// A Map holds all keys, no key, or half of them.
describe.each([64, 0, 32])('KeyIndex with up to %i keys in a Map', (maxMapped) => {
  it('finds a key by an equal text', () => {
    const { index, add } = indexOf(16, maxMapped);

    add(`rl:{${'ab'.repeat(8)}}:tier`, 3);

    expect(index.find('rl:{abababababababab}:tier')).toBe(3);
    expect(index.find('rl:{abababababababab}:tie')).toBe(NONE);
  });

  it('finds the other keys of a full table after removals', () => {
    const keys = Array.from({ length: 64 }, (_, row) => `key ${row}`);
    // Each index hashes with another seed, so that other keys collide.
    for (let round = 0; round < 50; round += 1) {
      const { index, add } = indexOf(64, maxMapped);
      for (const [row, key] of keys.entries()) add(key, row);
      if (round % 2 === 0) index.unmap(64);

      for (let row = 0; row < 32; row += 1) index.remove(row);

      expect(keys.map((key) => index.find(key))).toEqual(keys.map((_, row) => (row < 32 ? NONE : row)));
    }
  });

  it('finds the same keys as a Map after any additions, removals and growth', () => {
    // Few buckets and many keys: most of them collide.
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 60 })), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (each) => {
        const map = new Map<string, number>();
        const { index, add } = indexOf(16, maxMapped);
        let capacity = 16;
        const free = Array.from({ length: 64 }, (_, row) => 63 - row);
        for (const [adds, number] of each) {
          const key = `key ${number}`;
          const row = map.get(key);
          if (!adds && row !== undefined) {
            index.remove(row);
            map.delete(key);
            free.push(row);
          }
          if (adds && row === undefined) {
            const next = free.pop()!;
            while (next >= capacity) index.grow((capacity *= 2));
            add(key, next);
            map.set(key, next);
          }
        }

        for (let number = 0; number <= 60; number += 1) {
          expect(index.find(`key ${number}`)).toBe(map.get(`key ${number}`) ?? NONE);
        }
      }),
    );
  });
});

function indexOf(rows: number, maxMapped: number): { index: KeyIndex; add: (key: string, row: number) => void } {
  const keys: string[] = [];
  const index = new KeyIndex(rows, keys, maxMapped);
  const add = (key: string, row: number) => {
    keys[row] = key;
    index.add(row);
  };
  return { index, add };
}
