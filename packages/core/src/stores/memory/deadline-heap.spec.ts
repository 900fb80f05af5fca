import * as fc from 'fast-check';

import { DeadlineHeap } from './deadline-heap.js';

describe('DeadlineHeap', () => {
  it('has the earliest deadline first, whatever is added, moved and removed', () => {
    const step = fc.record({
      deed: fc.constantFrom('add', 'add', 'add', 'move', 'remove'),
      pick: fc.nat(),
      deadline: fc.nat({ max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const heap = new DeadlineHeap(4);
        let capacity = 4;
        let twice = false;
        const deadlines = new Map<number, number>();
        for (const { deed, pick, deadline } of steps) {
          const slot = [...deadlines.keys()][pick % deadlines.size];
          if (deed === 'add') {
            if (heap.size === capacity) heap.grow((capacity *= 2));
            const added = heap.add(deadline);
            twice ||= deadlines.has(added);
            deadlines.set(added, deadline);
          } else if (slot !== undefined && deed === 'move') {
            heap.move(slot, deadline);
            deadlines.set(slot, deadline);
          } else if (slot !== undefined) {
            heap.remove(slot);
            deadlines.delete(slot);
          }

          expect(heap.size).toBe(deadlines.size);
          const first = heap.size === 0 ? Infinity : heap.deadlineOf(heap.at(0));
          expect(first).toBe(Math.min(...deadlines.values()));
        }

        expect(twice).toBe(false);
        const places = Array.from({ length: heap.size }, (_, place) => heap.at(place));
        expect(new Set(places)).toEqual(new Set(deadlines.keys()));
        expect(places.map((slot) => heap.deadlineOf(slot))).toEqual(places.map((slot) => deadlines.get(slot)));
      }),
    );
  });
});
