import * as fc from 'fast-check';
import { SlotRing } from './slot-ring.js';

const STEP = 1_000;
const SLOTS = 5;

describe('SlotRing', () => {
  it('has the counts of the newest full slots, for any times', () => {
    const steps = fc.array(fc.record({ pause: fc.integer({ min: 0, max: 3_000 }), count: fc.nat(9) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const ring = new SlotRing(STEP, SLOTS);
        const counted: { readonly slot: number; readonly count: number }[] = [];
        let now = 0;
        for (const { pause, count } of all) {
          now += pause;
          ring.count(now, count);
          counted.push({ slot: Math.floor(now / STEP), count });
        }

        const newest = Math.floor(now / STEP);
        const expected = Array.from({ length: SLOTS }, (_, index) => newest - SLOTS + index).map((slot) =>
          counted.filter((each) => each.slot === slot).reduce((sum, { count }) => sum + count, 0),
        );
        expect(ring.read(now)).toEqual(expected);
      }),
    );
  });

  it('is empty after a pause that is longer than itself', () => {
    const ring = new SlotRing(STEP, SLOTS);
    ring.count(500, 7);

    expect(ring.read(1_500)).toEqual([0, 0, 0, 0, 7]);
    expect(ring.read(60_000)).toEqual([0, 0, 0, 0, 0]);
  });
});
