import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { windows } from '../../../../../test/support/windows.js';
import { definePolicy, type PolicyOptions } from '../named/policy-options.js';

const SECOND = 1_000_000;

const multi = (...pairs: Parameters<typeof windows>) =>
  ({ algorithm: 'multi-window', windows: windows(...pairs) }) as PolicyOptions;

describe('multi-window', () => {
  it('counts all windows over one ring of slots, longest first', () => {
    const policy = definePolicy(multi([10, '2s'], [100, '1m'], [30, '10s']));

    expect(policy).toMatchObject({ limit: 100, quota: 100, capacity: 10, window: 60 * SECOND });
    expect(policy).toMatchObject({ slot: 2 * SECOND, ring: 31 });
    expect(policy.numbers).toEqual([1, 10, 2 * SECOND, 31, 100, 30, 30, 5, 10, 1]);
    expect(policy.dimensions).toBe('multi-window 60000000+10000000+2000000 1 form 2');
  });

  it('divides the greatest common divisor by its precision', () => {
    const policy = definePolicy({ ...multi([10, '2s'], [30, '3s']), precision: 4 } as PolicyOptions);

    expect(policy).toMatchObject({ slot: 250_000, ring: 13 });
  });

  it('admits what fits every window, and reports the one that is closest to denying', () => {
    const budget = new Budget(multi([5, '1s'], [8, '10s']));

    expect(budget.take(0, 6)).toMatchObject({ charged: 0, limit: 5, retryAfter: -1 });
    expect(budget.take(0, 4)).toMatchObject({ charged: 4, limit: 5, remaining: 1 });
    expect(budget.take(0, 2)).toMatchObject({ charged: 0, limit: 5, retryAfter: 1_250_000 });
    // 4 of 8 are spent in the long window, and nothing counts in the short one.
    expect(budget.take(5000, 4)).toMatchObject({ charged: 4, limit: 8, remaining: 0 });
    // All of the short window is back after 2 s, one unit of the long one when the first slot leaves it.
    const denied = budget.take(8000);
    expect(denied).toMatchObject({ charged: 0, limit: 8, retryAfter: 2_250_000, replenishAfter: 2_250_000 });
    expect(denied.resetAfter).toBe(8 * SECOND);
  });

  it('waits for the last of the windows that deny', () => {
    const budget = new Budget(multi([2, '1s'], [2, '4s']));
    budget.take(0, 2);

    const wait = 4.5 * SECOND;
    expect(budget.take(0)).toMatchObject({ limit: 2, remaining: 0, retryAfter: wait, replenishAfter: wait });
  });

  it('decides with each window as a sliding window of the same slots does', () => {
    // Up to a limit of 64 a sliding window has no slots.
    const limits = fc.integer({ min: 65, max: 200 });
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 1, max: 60 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(limits, limits, steps, (short, long, requests) => {
        const both = new Budget(multi([short, 1000], [long, 5000]));
        const each = [
          new Budget({ limit: short, window: 1000 }),
          new Budget({ limit: long, window: 5000, precision: 5 }),
        ];
        let now = 0;
        for (const [pause, cost] of requests) {
          now += pause;
          const looks = each.map((budget) => budget.look(now, cost));

          expect(both.look(now, cost)).toMatchObject({
            retryAfter: Math.max(...looks.map(({ retryAfter }) => retryAfter)),
            remaining: Math.min(...looks.map(({ remaining }) => remaining)),
          });
          if (both.take(now, cost).charged > 0) for (const budget of each) budget.take(now, cost);
        }
      }),
    );
  });
});
