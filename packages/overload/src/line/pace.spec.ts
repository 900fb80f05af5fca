import * as fc from 'fast-check';
import { createLimiter, type Decision, memoryStore, type Tier } from '../../../core/src/index.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { line } from './index.js';

/** The window, in milliseconds. */
const WINDOW = 60_000;

const runs = { seed: 64, numRuns: 25 };
const limits = fc.integer({ min: 2, max: 64 });

function lined(options: object) {
  const clock = fakeClock();
  const tier = { name: 'shared', key: () => 'shared', window: WINDOW, ...options, line: line({ longest: '49d' }) };
  const limiter = createLimiter<object>({ store: memoryStore({ clock }), tiers: [tier] as unknown as Tier<object>[] });
  return { clock, consume: () => limiter.consume({}) as Decision };
}

describe('the pace of a line', () => {
  it('is that of the limit in a bucket, whatever the limit', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 2, max: 60 }), (limit, burst) => {
        const { consume } = lined({ algorithm: 'token-bucket', limit, burst });
        for (let unit = 0; unit < burst; unit += 1) consume();

        const told = Array.from({ length: 3 * burst }, () => consume().retryAfter);

        const late = told.map((wait, place) => wait - ((place + 1) * WINDOW) / limit);
        expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...late)).toBeLessThan(1 + told.length / 1e3);
      }),
      runs,
    );
  });

  it.each([{}, { algorithm: 'sliding-window-log' }])(
    'tells no unit twice, and leaves out fewer than one of ten, where units were spent one by one: %j',
    (algorithm) => {
      fc.assert(
        fc.property(limits, fc.infiniteStream(fc.double({ min: 0, max: 2, noNaN: true })), (limit, late) => {
          const { clock, consume } = lined({ ...algorithm, limit });
          const begins = clock();
          const spent = Array.from({ length: limit }, (_, unit) =>
            Math.floor(((unit + late.next().value!) * WINDOW) / limit),
          ).toSorted((one, other) => one - other);
          for (const at of spent) {
            clock.set(begins + at);
            consume();
          }

          const told = Array.from({ length: limit }, () => clock() - begins + consume().retryAfter);

          // Each comes when a unit of its own is back, and no sooner than the limit allows after the one before it.
          let before = -Infinity;
          const ideal = spent.map((at) => (before = Math.max(at + WINDOW, before + WINDOW / limit)));
          expect(told.filter((at, place) => at < ideal[place]! - 1)).toEqual([]);
          expect((told.at(-1)! - ideal.at(-1)! - 1.1) / (WINDOW / limit)).toBeLessThanOrEqual(2 + limit / 10);
        }),
        runs,
      );
    },
  );

  it('is nineteen twentieths of the limit in a window of counts, whatever the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 65, max: 200 }), (limit) => {
        const { consume } = lined({ limit });
        for (let unit = 0; unit < limit; unit += 1) consume();

        const told = Array.from({ length: 2 * limit }, () => consume().retryAfter);

        const step = (WINDOW * 20) / (19 * limit);
        expect((told.at(-1)! - told[0]!) / step).toBeLessThan(2 * limit);
      }),
      runs,
    );
  });
});
