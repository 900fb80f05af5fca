import * as fc from 'fast-check';
import { Budget } from '../../testing/internal/budget.js';
import { definePolicy } from '../policy-options.js';

const SECOND = 1_000_000;

describe('multi-window', () => {
  it('counts all windows over one ring of slots, longest first', () => {
    const policy = definePolicy({
      algorithm: 'multi-window',
      windows: [
        { limit: 10, window: '2s' },
        { limit: 100, window: '1m' },
        { limit: 30, window: '10s' },
      ],
    });

    expect(policy).toMatchObject({
      limit: 100,
      quota: 100,
      capacity: 10,
      window: 60 * SECOND,
      slot: 2 * SECOND,
      ring: 31,
    });
    expect(policy.numbers).toEqual([1, 10, 2 * SECOND, 31, 100, 30, 30, 5, 10, 1]);
    expect(policy.dimensions).toBe('multi-window 60000000+10000000+2000000 1');
  });

  it('divides the greatest common divisor by its precision', () => {
    const policy = definePolicy({
      algorithm: 'multi-window',
      precision: 4,
      windows: [
        { limit: 10, window: '2s' },
        { limit: 30, window: '3s' },
      ],
    });

    expect(policy).toMatchObject({ slot: 250_000, ring: 13 });
  });

  it('admits what fits every window, and shows the one that is closest to denying', () => {
    const budget = new Budget({
      algorithm: 'multi-window',
      windows: [
        { limit: 5, window: '1s' },
        { limit: 8, window: '10s' },
      ],
    });

    expect(budget.take(0, 4)).toMatchObject({ charged: 4, limit: 5, remaining: 1 });
    expect(budget.take(0, 2)).toMatchObject({ charged: 0, limit: 5, retryAfter: 1_250_000 });
    // 4 of 8 are spent in the long window, and nothing counts in the short one.
    expect(budget.take(5000, 4)).toMatchObject({ charged: 4, limit: 8, remaining: 0 });
    // All of the short window is back after 2 s, one unit of the long one when the first slot leaves it.
    expect(budget.take(8000)).toMatchObject({
      charged: 0,
      limit: 8,
      retryAfter: 2_250_000,
      replenishAfter: 2_250_000,
      resetAfter: 8 * SECOND,
    });
  });

  it('waits for the last of the windows that deny', () => {
    const budget = new Budget({
      algorithm: 'multi-window',
      windows: [
        { limit: 2, window: '1s' },
        { limit: 2, window: '4s' },
      ],
    });
    budget.take(0, 2);

    expect(budget.take(0)).toMatchObject({
      limit: 2,
      remaining: 0,
      retryAfter: 4.5 * SECOND,
      replenishAfter: 4.5 * SECOND,
    });
  });

  it('never admits a cost above the smallest limit, and names its window', () => {
    const budget = new Budget({
      algorithm: 'multi-window',
      windows: [
        { limit: 5, window: '1s' },
        { limit: 8, window: '10s' },
      ],
    });

    expect(budget.take(0, 6)).toMatchObject({ charged: 0, limit: 5, retryAfter: -1 });
  });

  it('decides with each window as a sliding window of the same slots does', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 2500 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 20 }), fc.integer({ min: 5, max: 20 }), steps, (short, long, asked) => {
        const both = new Budget({
          algorithm: 'multi-window',
          windows: [
            { limit: short, window: 1000 },
            { limit: long, window: 5000 },
          ],
        });
        const each = [
          new Budget({ limit: short, window: 1000 }),
          new Budget({ limit: long, window: 5000, precision: 5 }),
        ];
        let now = 0;
        for (const [pause, cost] of asked) {
          now += pause;
          const waits = each.map((budget) => budget.look(now, cost).retryAfter);
          const lefts = each.map((budget) => budget.look(now, cost).remaining);

          expect(both.look(now, cost)).toMatchObject({ retryAfter: Math.max(...waits), remaining: Math.min(...lefts) });
          if (both.take(now, cost).charged > 0) for (const budget of each) budget.take(now, cost);
        }
      }),
    );
  });

  it.each([
    [{ windows: [] }, 'WINDOW_INVALID', 'windows', /at least two/],
    [{ windows: '1s' }, 'WINDOW_INVALID', 'windows', /at least two/],
    [
      {
        windows: [
          { limit: 1, window: '1s' },
          { limit: 0, window: '1m' },
        ],
      },
      'LIMIT_INVALID',
      'windows[1].limit',
      /windows\[1\]\.limit must be an integer/,
    ],
    [
      {
        windows: [
          { limit: 1, window: '1s' },
          { limit: 2, window: 1000 },
        ],
      },
      'WINDOW_INVALID',
      'windows',
      /1s is there twice/,
    ],
    [
      {
        windows: [
          { limit: 1, window: '1s' },
          { limit: 2, window: '1h' },
        ],
      },
      'WINDOW_INVALID',
      'windows',
      /have 3600 of 1s: use a tier for each window/,
    ],
    [{ windows: [{ limit: 1, window: '1s' }, null] }, 'LIMIT_INVALID', 'windows[1].limit', /got undefined/],
    [
      {
        windows: [
          { limit: 1, window: '1s', burst: 2 },
          { limit: 1, window: '1m' },
        ],
      },
      'OPTION_UNKNOWN',
      'windows[0].burst',
      /known are limit, window/,
    ],
    [{ precision: 7 }, 'PRECISION_INVALID', 'precision', /must divide 1s/],
    [{ precision: 251 }, 'PRECISION_INVALID', 'precision', /1 to 250/],
    [
      {
        windows: [
          { limit: 2 ** 32 - 1, window: '400d' },
          { limit: 1, window: '200d' },
        ],
      },
      'LIMIT_INVALID',
      'windows',
      /windows must have limits of at most 260624978/,
    ],
    [{ limit: 5 }, 'OPTION_UNKNOWN', 'limit', /known are algorithm, windows, precision/],
  ])('refuses %j', (wrong, code, option, rule) => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ];
    const options = { algorithm: 'multi-window', windows, ...wrong } as never;

    expect(() => definePolicy(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code, option }));
    expect(() => definePolicy(options)).toThrow(rule);
  });
});
