import * as fc from 'fast-check';
import { RecentTop } from './recent-top.js';

/** Counters of each half minute. */
const COUNTERS = 128;

/** Item 1 is the most frequent, item 2 half as frequent, item 3 a third. */
const zipf = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3_000 })
  .map((shares) => shares.map((share) => String(Math.floor(Math.exp(share * Math.log(1_000))))));

/** More items in turn than there are counters, so that each one replaces the next. */
const inTurn = fc
  .record({ items: fc.integer({ min: COUNTERS, max: 3 * COUNTERS }), length: fc.nat(3_000), frequent: fc.nat(9) })
  .map(({ items, length, frequent }) =>
    Array.from({ length }, (_, index) => (index % 10 < frequent ? 'frequent' : String(index % items))),
  );

describe('RecentTop', () => {
  it('forgets a count after 30 to 60 seconds', () => {
    let now = 0;
    const top = new RecentTop(() => now);
    for (const item of ['ada', 'ada', 'bob']) top.count(item);
    now = 31_000;
    top.count('bob');

    top.count('bob');
    expect(top.top(9)).toEqual([
      { item: 'bob', count: 3, error: 0 },
      { item: 'ada', count: 2, error: 0 },
    ]);
    now = 61_000;
    expect(top.top(9)).toEqual([{ item: 'bob', count: 2, error: 0 }]);
    expect(top.total).toBe(2);
    now = 500_000;
    expect(top.total).toBe(0);
  });

  it('ranks items by the part of their counts that is certain', () => {
    const top = new RecentTop(() => 0);
    const count = (item: string, times: number) => {
      for (let time = 0; time < times; time += 1) top.count(item);
    };
    for (let item = 0; item < COUNTERS - 1; item += 1) count(`early-${item}`, 9);
    count('frequent', 10);
    // Takes the counter of an early one, with its count.
    count('late', 2);

    expect(top.top(1)).toEqual([{ item: 'frequent', count: 10, error: 0 }]);
    expect(top.top(COUNTERS).at(-1)).toEqual({ item: 'late', count: 11, error: 9 });
  });

  it.each([
    ['of items by rank', zipf],
    ['of items in turn', inTurn],
  ])('has the frequent items of a stream %s over two half minutes, within their errors', (_name, stream) => {
    fc.assert(
      fc.property(stream, stream, (before, now) => {
        let time = 0;
        const top = new RecentTop(() => time);
        for (const item of before) top.count(item);
        time = 30_000;
        for (const item of now) top.count(item);

        const all = [...before, ...now];
        const exact = new Map<string, number>();
        for (const item of all) exact.set(item, (exact.get(item) ?? 0) + 1);
        const ranked = top.top(2 * COUNTERS);
        const certain = ranked.map(({ count, error }) => count - error);

        expect(top.total).toBe(all.length);
        expect(ranked.filter(({ item, count }) => count < exact.get(item)!)).toEqual([]);
        expect(ranked.filter(({ item, count, error }) => count - error > exact.get(item)!)).toEqual([]);
        expect(Math.max(0, ...ranked.map(({ error }) => error))).toBeLessThanOrEqual(all.length / COUNTERS);
        expect(certain).toEqual(certain.toSorted((one, other) => other - one));
        const known = new Set(ranked.map(({ item }) => item));
        for (const [item, count] of exact) expect(known.has(item) || count <= all.length / COUNTERS).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
