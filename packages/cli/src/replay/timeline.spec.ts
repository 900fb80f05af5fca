import * as fc from 'fast-check';
import { Timeline } from './timeline.js';

describe('Timeline', () => {
  it('counts everything, in at most 720 bins, however long it lasts', () => {
    const times = fc.array(fc.integer({ min: 0, max: 10 ** 13 }), { minLength: 1, maxLength: 300 });

    expect(() =>
      fc.assert(
        fc.property(times, (all) => {
          const sorted = all.toSorted((one, other) => one - other);
          const timeline = new Timeline(sorted[0]!, sorted.at(-1)!, 2);
          for (const time of sorted) timeline.add(time, time % 2);
          const counts = timeline.series.flat();
          return (
            counts.reduce((sum, count) => sum + count, 0) === all.length &&
            timeline.series.every(({ length }) => length <= 720) &&
            timeline.start <= sorted[0]!
          );
        }),
      ),
    ).not.toThrow();
  });

  it('has a second a bin for a short log', () => {
    const timeline = new Timeline(5_100, 7_000, 1);
    for (const time of [5_100, 5_900, 7_000]) timeline.add(time, 0);

    expect(timeline).toMatchObject({ start: 5_000, width: 1_000, series: [[2, 0, 1]] });
  });
});
