import * as fc from 'fast-check';

import { ExpiryHeap } from './expiry-heap.js';
import { KeyRecords } from './key-records.js';
import { PolicyPool } from './policy-pool.js';

describe('ExpiryHeap', () => {
  it('has the earliest time first after any additions, moves, checks and removals', () => {
    const step = fc.record({
      action: fc.constantFrom('add', 'add', 'add', 'advance', 'some', 'all', 'remove'),
      pick: fc.nat(),
      time: fc.nat({ max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const records = new KeyRecords(4, new PolicyPool());
        const times = new Map<number, number>();
        /** When a row expires, which is no earlier than its check. */
        const ends = new Map<number, number>();
        let capacity = 4;
        const wrong: string[] = [];
        const remove = (row: number) => {
          heap.remove(row);
          times.delete(row);
          ends.delete(row);
        };
        const heap: ExpiryHeap = new ExpiryHeap(4, records, { expiresAt: (row) => ends.get(row)!, remove });
        for (const { action, pick, time } of steps) {
          const row = [...times.keys()][pick % times.size];
          if (action === 'add') {
            if (heap.size === capacity) {
              records.grow((capacity *= 2));
              heap.grow(capacity);
            }
            const added = heap.take();
            if (times.has(added)) wrong.push('a row is handed out twice');
            times.set(added, time);
            ends.set(added, time + (pick % 40));
            heap.advance(added, time);
          } else if (row !== undefined && action === 'advance') {
            heap.advance(row, time);
            times.set(row, Math.min(times.get(row)!, time));
          } else if (row !== undefined && action === 'remove') remove(row);
          else if (action === 'some') heap.expireSome(time, pick % 5);
          else if (action === 'all') {
            const expired = [...ends.values()].filter((end) => end <= time).length;
            const before = heap.size;
            heap.makeRoom(time, (pick % 5) + 1);
            if (before - heap.size !== Math.min(expired, (pick % 5) + 1)) wrong.push('it makes too little room');
          }
          for (const each of times.keys()) times.set(each, records.checkAtOf(each));

          if (heap.size !== times.size) wrong.push('its size is wrong');
          if (heap.nextCheckAt !== Math.min(...times.values())) wrong.push('the first time is wrong');
        }

        expect(wrong).toEqual([]);
        const places = Array.from({ length: heap.size }, (_, place) => heap.at(place));
        expect(new Set(places)).toEqual(new Set(times.keys()));
        expect(places.filter((row) => records.checkAtOf(row) > ends.get(row)!)).toEqual([]);
      }),
    );
  });
});
