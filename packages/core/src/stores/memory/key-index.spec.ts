import * as fc from 'fast-check';

import { KeyIndex, NONE } from './key-index.js';

// A Map holds all keys, no key, or half of them.
describe.each([64, 0, 32])('KeyIndex with up to %i keys in a Map', (maxMapped) => {
  it('finds a key by an equal text', () => {
    const index = new KeyIndex(16, maxMapped);

    index.add(`rl:{${'ab'.repeat(8)}}:tier`, 3);

    expect(index.find('rl:{abababababababab}:tier')).toBe(3);
    expect(index.find('rl:{abababababababab}:tie')).toBe(NONE);
  });

  it('finds the other keys of a full table after removals', () => {
    const keys = Array.from({ length: 64 }, (_, slot) => `key ${slot}`);
    // Each index hashes with another seed, so that other keys collide.
    for (let round = 0; round < 50; round += 1) {
      const index = new KeyIndex(64, maxMapped);
      for (const [slot, key] of keys.entries()) index.add(key, slot);

      for (let slot = 0; slot < 32; slot += 1) index.remove(slot);

      expect(keys.map((key) => index.find(key))).toEqual(keys.map((_, slot) => (slot < 32 ? NONE : slot)));
    }
  });

  it('finds the same keys as a Map after any additions, removals and growth', () => {
    // Few buckets and many keys: most of them collide.
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 60 })), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (each) => {
        const map = new Map<string, number>();
        const index = new KeyIndex(16, maxMapped);
        let capacity = 16;
        const free = Array.from({ length: 64 }, (_, slot) => 63 - slot);
        for (const [adds, number] of each) {
          const key = `key ${number}`;
          const slot = map.get(key);
          if (!adds && slot !== undefined) {
            index.remove(slot);
            map.delete(key);
            free.push(slot);
          }
          if (adds && slot === undefined) {
            const next = free.pop()!;
            while (next >= capacity) index.grow((capacity *= 2));
            index.add(key, next);
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
