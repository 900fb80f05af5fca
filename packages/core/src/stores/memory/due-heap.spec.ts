import * as fc from 'fast-check';

import { DueHeap } from './due-heap.js';
import { SlotRows } from './slot-rows.js';

describe('DueHeap', () => {
  it('has the earliest first, whatever is added, advanced, postponed, renewed and removed', () => {
    const step = fc.record({
      deed: fc.constantFrom('add', 'add', 'add', 'advance', 'postpone', 'renew', 'remove'),
      pick: fc.nat(),
      time: fc.nat({ max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const rows = new SlotRows(4);
        const heap = new DueHeap(4, rows);
        let capacity = 4;
        let twice = false;
        const dues = new Map<number, number>();
        for (const { deed, pick, time } of steps) {
          const slot = [...dues.keys()][pick % dues.size];
          if (deed === 'add') {
            if (heap.size === capacity) {
              rows.grow((capacity *= 2));
              heap.grow(capacity);
            }
            const added = heap.add(time);
            twice ||= dues.has(added);
            dues.set(added, time);
          } else if (slot !== undefined && deed === 'advance') {
            heap.advance(slot, time);
            dues.set(slot, Math.min(dues.get(slot)!, time));
          } else if (slot !== undefined && deed === 'postpone') {
            const first = heap.at(0);
            const later = dues.get(first)! + time;
            heap.postponeFirst(later);
            dues.set(first, later);
          } else if (slot !== undefined && deed === 'renew') {
            for (const [each, due] of dues) dues.set(each, (due * 7 + time) % 50);
            heap.renew((each) => dues.get(each)!);
          } else if (slot !== undefined) {
            heap.remove(slot);
            dues.delete(slot);
          }

          expect(heap.size).toBe(dues.size);
          const first = heap.size === 0 ? Infinity : rows.dueOf(heap.at(0));
          expect(first).toBe(Math.min(...dues.values()));
        }

        expect(twice).toBe(false);
        const places = Array.from({ length: heap.size }, (_, place) => heap.at(place));
        expect(new Set(places)).toEqual(new Set(dues.keys()));
        expect(places.map((slot) => rows.dueOf(slot))).toEqual(places.map((slot) => dues.get(slot)));
      }),
    );
  });
});
