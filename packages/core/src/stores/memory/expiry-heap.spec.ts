import * as fc from 'fast-check';

import { ExpiryHeap } from './expiry-heap.js';
import { KeyRecords } from './key-records.js';

describe('ExpiryHeap', () => {
  it('has the earliest slot first after any additions, moves, rebuilds and removals', () => {
    const step = fc.record({
      action: fc.constantFrom('add', 'add', 'add', 'advance', 'postpone', 'rebuild', 'remove'),
      pick: fc.nat(),
      time: fc.nat({ max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const records = new KeyRecords(4);
        const heap = new ExpiryHeap(4, records);
        let capacity = 4;
        let isHandedOutTwice = false;
        const times = new Map<number, number>();
        for (const { action, pick, time } of steps) {
          const slot = [...times.keys()][pick % times.size];
          if (action === 'add') {
            if (heap.size === capacity) {
              records.grow((capacity *= 2));
              heap.grow(capacity);
            }
            const added = heap.add(time);
            isHandedOutTwice ||= times.has(added);
            times.set(added, time);
          } else if (slot !== undefined && action === 'advance') {
            heap.advance(slot, time);
            times.set(slot, Math.min(times.get(slot)!, time));
          } else if (slot !== undefined && action === 'postpone') {
            const first = heap.at(0);
            const later = times.get(first)! + time;
            heap.postponeFirst(later);
            times.set(first, later);
          } else if (slot !== undefined && action === 'rebuild') {
            for (const [each, checkAt] of times) times.set(each, (checkAt * 7 + time) % 50);
            heap.rebuild((each) => times.get(each)!);
          } else if (slot !== undefined) {
            heap.remove(slot);
            times.delete(slot);
          }

          expect(heap.size).toBe(times.size);
          const first = heap.size === 0 ? Infinity : records.checkAtOf(heap.at(0));
          expect(first).toBe(Math.min(...times.values()));
        }

        expect(isHandedOutTwice).toBe(false);
        const places = Array.from({ length: heap.size }, (_, place) => heap.at(place));
        expect(new Set(places)).toEqual(new Set(times.keys()));
        expect(places.map((slot) => records.checkAtOf(slot))).toEqual(places.map((slot) => times.get(slot)));
      }),
    );
  });
});
