import * as fc from 'fast-check';
import { Budget } from '../../testing/internal/budget.js';
import { definePolicy, type PolicyOptions } from '../policy-options.js';

const SECOND = 1_000_000;

describe('sliding-window', () => {
  it('is what options without an algorithm mean', () => {
    const policy = definePolicy({ limit: 100, window: '1m' });

    expect(policy).toMatchObject({
      algorithm: 'sliding-window',
      quota: 100,
      capacity: 100,
      tick: 1,
      slot: 60 * SECOND,
      slots: 1,
      ring: 2,
    });
    expect(policy.numbers).toEqual([1, 100, 100, 60 * SECOND, 1, 0]);
  });

  it('counts in 50 slots when it is strict, and in as many as precision says', () => {
    expect(definePolicy({ limit: 100, window: '1m', strict: true })).toMatchObject({
      slots: 50,
      slot: 1.2 * SECOND,
      strict: true,
    });
    expect(definePolicy({ limit: 100, window: '1m', precision: 6 })).toMatchObject({
      slots: 6,
      slot: 10 * SECOND,
      strict: false,
    });
  });

  it('weighs the slot before by what of it the window still covers, rounded up', () => {
    const budget = new Budget({ limit: 10, window: '1s' });
    budget.take(0, 10);

    // 3/4 of 10 are 7.5 and count 8.
    expect(budget.look(1250)).toMatchObject({ remaining: 2, replenishAfter: 50_000 });
    expect(budget.take(1250, 3)).toMatchObject({ charged: 0, retryAfter: 50_000 });
    expect(budget.take(1299.999, 3)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1300, 3)).toMatchObject({ charged: 3, remaining: 0 });
    // The 3 are gone one slot after theirs has ended.
    expect(budget.look(1300).resetAfter).toBe(1.7 * SECOND);
  });

  it('waits into the next slot when this one alone is full', () => {
    const budget = new Budget({ limit: 10, window: '1s' });
    budget.take(500, 10);

    // From 1000 on the 10 melt: 9 at 1100, 5 at 1500.
    expect(budget.take(500)).toMatchObject({ charged: 0, retryAfter: 600_000 });
    expect(budget.take(500, 5)).toMatchObject({ charged: 0, retryAfter: 1_000_000 });
    expect(budget.take(500, 10)).toMatchObject({ charged: 0, retryAfter: 1_500_000 });
  });

  it('counts the oldest slot in full when it is strict', () => {
    const budget = new Budget({ limit: 10, window: '1s', strict: true, precision: 10 });
    budget.take(50, 10);

    expect(budget.take(1099.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1100)).toMatchObject({ charged: 1, remaining: 9 });
  });

  it('gives back to the slot of the charge, while it is held', () => {
    const budget = new Budget({ limit: 10, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0, 10));
    budget.take(1900, 9);

    expect(budget.look(1900).remaining).toBe(0);
    expect(budget.refund(1900, receipt)).toBe(10);
    expect(budget.look(1900).remaining).toBe(1);
    expect(budget.refund(2000, receipt)).toBe(0);
  });

  it('reads counts as the limit at most when it was cut, and in full when it is raised again', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    budget.take(0, 80);

    budget.change({ limit: 10, window: '1s' });
    // 80 count as 10: half of them are over at 1500.
    expect(budget.look(1500)).toMatchObject({ remaining: 5 });

    budget.change({ limit: 100, window: '1s' });
    expect(budget.look(1500)).toMatchObject({ remaining: 60 });
  });

  it('re-dates slots of the future to now, with their counts', () => {
    const budget = new Budget({ limit: 10, window: '1s' });
    budget.take(9_000, 4);
    budget.take(10_000, 6);

    expect(budget.take(0, 5)).toMatchObject({ charged: 0, remaining: 0, resetAfter: 2 * SECOND });
    expect(budget.stored).toEqual([expect.any(Number), 6, 4]);
    expect(budget.look(2000)).toMatchObject({ remaining: 10, resetAfter: 0 });
  });

  it('counts in coarser ticks where a product would be no exact integer', () => {
    expect(definePolicy({ limit: 10_000, window: '30d' })).toMatchObject({ tick: 10, slot: 30 * 86_400 * 1e5 });
    expect(definePolicy({ limit: 1_000_000, window: '1d' })).toMatchObject({ tick: 100 });
    expect(definePolicy({ limit: 2 ** 32 - 1, window: '1s' })).toMatchObject({ tick: 1 });
  });

  it.each([
    [10_000, '30d', 10],
    [1_000_000, '1d', 100],
  ] as const)('admits exactly %i units in %s, and tells exactly when the next fits', (limit, window, tick) => {
    const budget = new Budget({ limit, window });
    budget.take(0, limit - 1);
    budget.take(1);

    const { retryAfter } = budget.take(1);
    const waited = 1 + (retryAfter * tick) / 1000;

    expect(budget.look(waited - tick / 1000).retryAfter).toBe(1);
    expect(budget.look(waited).retryAfter).toBe(0);
  });

  it('admits at most its guarantee in any window', () => {
    const options = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      precision: fc.constantFrom(1, 2, 5, 10),
      strict: fc.boolean(),
    });
    const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 1, max: 20 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(options, arrivals, ({ limit, precision, strict }, steps) => {
        const admitted = admissions({ limit, window: 1000, precision, strict }, steps);

        expect(maximum(admitted, 1000)).toBeLessThanOrEqual(strict ? limit : 2 * limit - 1);
        expect(maximum(admitted, 1000 - 1000 / precision)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  });

  it('comes close to twice the limit when a client spends on both sides of an edge', () => {
    const admitted = admissions({ limit: 100, window: 1000 }, [
      [999, 100],
      ...Array.from({ length: 1000 }, () => [1, 1] as const),
    ]);

    expect(maximum(admitted, 1000)).toBe(199);
  });

  it.each([
    [{ precision: 0 }, 'PRECISION_INVALID', 'precision', 0, /1 to 250/],
    [{ precision: 251 }, 'PRECISION_INVALID', 'precision', 251, /1 to 250/],
    [{ window: '1s', precision: 7 }, 'PRECISION_INVALID', 'precision', 7, /the nearest precisions that do are 5 and 8/],
    [{ window: 1, strict: true, precision: 30 }, 'PRECISION_INVALID', 'precision', 30, /25 and 40/],
    [
      { window: '1.001ms', strict: true },
      'PRECISION_INVALID',
      'window',
      '1.001ms',
      /50 slots divide a window of 1.001ms/,
    ],
    [
      { limit: 2 ** 32 - 1, window: '400d' },
      'LIMIT_INVALID',
      'limit',
      2 ** 32 - 1,
      /must be at most 130312489 for this window, got/,
    ],
    [
      { limit: 1e9, window: 86_400_007 },
      'WINDOW_INVALID',
      'window',
      86_400_007,
      /must be a multiple of 100ms: the nearest is 1d/,
    ],
    [{ strict: 'yes' }, 'OPTION_INVALID', 'strict', 'yes', /one of true, false/],
    [{ precison: 5 }, 'OPTION_UNKNOWN', 'precison', 5, /did you mean precision\?/],
  ])('refuses %j', (wrong, code, option, value, rule) => {
    const options = { limit: 10, window: '1m', ...wrong } as never;

    expect(() => definePolicy(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code, option, value }));
    expect(() => definePolicy(options)).toThrow(rule);
  });
});

/** When how many units were admitted, in milliseconds: each step is a pause and a cost. */
function admissions(
  options: PolicyOptions,
  steps: readonly (readonly [pause: number, cost: number])[],
): [number, number][] {
  const budget = new Budget(options);
  const admitted: [number, number][] = [];
  let now = 0;
  for (const [pause, cost] of steps) {
    now += pause;
    const { charged } = budget.take(now, Math.min(cost, options.algorithm === 'multi-window' ? cost : options.limit));
    if (charged > 0) admitted.push([now, charged]);
  }
  return admitted;
}

/** The most units in any span [t, t + length). */
function maximum(admitted: readonly [number, number][], length: number): number {
  const sums = admitted.map(([start]) =>
    admitted.reduce((sum, [at, units]) => (at >= start && at < start + length ? sum + units : sum), 0),
  );
  return Math.max(0, ...sums);
}
