import * as fc from 'fast-check';
import { OutageLog } from './outage-log.js';

const STEP = 1_000;

describe('OutageLog', () => {
  it('marks the slots from the first failure to the answer, and none after it', () => {
    const log = new OutageLog();

    log.note(2_300, true, 1_900);
    const during = log.read(5_000, STEP, 5);
    log.note(5_200, false);

    expect(during).toEqual([0, 1, 1, 1, 1]);
    expect(log.read(8_000, STEP, 8)).toEqual([0, 1, 1, 1, 1, 1, 0, 0]);
    expect(log.read(8_000, 4_000, 2)).toEqual([1, 1]);
  });

  it('marks exactly the slots that an outage touches, whatever is noted again', () => {
    const steps = fc.array(fc.record({ pause: fc.integer({ min: 1, max: 3_000 }), isOut: fc.boolean() }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const log = new OutageLog();
        const out: (readonly [from: number, to: number])[] = [];
        let [now, from] = [0, Infinity];
        for (const { pause, isOut } of all) {
          now += pause;
          log.note(now, isOut);
          if (isOut) from = Math.min(from, now);
          else if (from < Infinity) out.push([from, now]);
          if (!isOut) from = Infinity;
        }
        if (from < Infinity) out.push([from, Infinity]);

        const newest = Math.floor(now / STEP);
        const expected = Array.from({ length: 60 }, (_, index) => newest - 60 + index).map((slot) =>
          out.some(([begin, end]) => begin < (slot + 1) * STEP && end > slot * STEP) ? 1 : 0,
        );
        expect(log.read(now, STEP, 60)).toEqual(expected);
      }),
    );
  });

  it('keeps the newest outages of a store that fails all day', () => {
    const log = new OutageLog();

    for (let second = 0; second < 1_000; second += 1) log.note(second * STEP, second % 2 === 0);

    expect(log.read(1_000 * STEP, STEP, 6)).toEqual([1, 0, 1, 0, 1, 0]);
    expect(log.read(1_000 * STEP, STEP, 900).slice(0, 100)).toEqual(Array<number>(100).fill(0));
  });
});
