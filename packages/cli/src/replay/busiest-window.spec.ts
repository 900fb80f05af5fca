import * as fc from 'fast-check';
import { BusiestWindow } from './busiest-window.js';

/** Units in the windows that end at each time, counted one by one. */
function most(events: readonly (readonly [time: number, units: number])[], window: number): number {
  const ending = events.map(([end]) =>
    events.filter(([time]) => time <= end && time > end - window).reduce((sum, [, units]) => sum + units, 0),
  );
  return Math.max(0, ...ending);
}

function measured(events: readonly (readonly [time: number, units: number])[], window: number): number {
  const busiest = new BusiestWindow(window);
  for (const [time, units] of events) busiest.add(time, units);
  return busiest.most;
}

describe('BusiestWindow', () => {
  it('is exact for whole seconds in a minute', () => {
    const events = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.nat(5)), { maxLength: 200 })
      .map((all) =>
        all.map(([second, units]) => [second * 1e3, units] as const).toSorted(([one], [other]) => one - other),
      );

    expect(() => fc.assert(fc.property(events, (each) => measured(each, 60_000) === most(each, 60_000)))).not.toThrow();
  });

  it('counts no more than a window, and no less than 239 / 240 of it', () => {
    const events = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.nat(5)), { maxLength: 200 })
      .map((all) => all.toSorted(([one], [other]) => one - other));

    expect(() =>
      fc.assert(
        fc.property(events, (each) => {
          const value = measured(each, 10_000);
          return value <= most(each, 10_000) && value >= most(each, (10_000 * 239) / 240);
        }),
      ),
    ).not.toThrow();
  });
});
