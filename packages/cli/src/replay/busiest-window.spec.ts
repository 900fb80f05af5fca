import * as fc from 'fast-check';
import { busiestWindow } from './busiest-window.js';

type Events = readonly (readonly [time: number, units: number])[];

/** Units in the windows that end at each time, counted one by one. */
function most(events: Events, window: number): number {
  const ending = events.map(([end]) =>
    events.filter(([time]) => time <= end && time > end - window).reduce((sum, [, units]) => sum + units, 0),
  );
  return Math.max(0, ...ending);
}

function measured(events: Events, window: number): number {
  const times = Float64Array.from([...events.map(([time]) => time), 0]);
  const units = Float64Array.from([...events.map((event) => event[1]), 9]);
  return busiestWindow({ size: events.length, times, units }, window);
}

describe('busiestWindow', () => {
  it.each([1_000, 60_000])('finds the most in any window of %i ms', (window) => {
    const events = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 300_000 }), fc.nat(5)), { maxLength: 200 })
      .map((all) => all.toSorted(([one], [other]) => one - other));

    expect(() => fc.assert(fc.property(events, (each) => measured(each, window) === most(each, window)))).not.toThrow();
  });
});
