import * as fc from 'fast-check';
import { Budget, EPOCH } from '../../testing/internal/budget.js';
import { definePolicy } from '../policy-options.js';
import { fixedWindow, type FixedWindowPolicy } from './fixed-window.js';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('fixed-window', () => {
  it('counts in microseconds, with a window that begins at the first request', () => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 100, window: '1m' });

    expect(policy).toMatchObject({ limit: 100, quota: 100, capacity: 100, window: 60 * SECOND, tick: 1 });
    expect(policy.numbers).toEqual([1, 100, 100, 60 * SECOND, 1_000]);
    expect(policy.dimensions).toBe('fixed-window 60000000 first');
  });

  it('admits the limit and denies until the window ends', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 3, window: '1s' });

    expect(budget.take(200, 2)).toMatchObject({ charged: 2, remaining: 1, retryAfter: 0, resetAfter: SECOND });
    expect(budget.take(500, 2)).toMatchObject({ charged: 0, remaining: 1, retryAfter: 700_000 });
    expect(budget.take(500)).toMatchObject({ charged: 1, remaining: 0, replenishAfter: 700_000, resetAfter: 700_000 });
    expect(budget.take(1199.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1200)).toMatchObject({ charged: 1, remaining: 2, resetAfter: SECOND });
  });

  it.each([
    ['1s', 0.25, SECOND + 750],
    ['1s', 7, SECOND],
    ['17m', 0.25, 17 * MINUTE + 750],
    ['18m', 0.25, 18 * MINUTE + 9_750],
    ['1h', 7, HOUR + 3_000],
    ['1d', 7, 24 * HOUR + 93_000],
    ['400d', 7, 400 * 24 * HOUR + 99_993_000],
  ] as const)('ends a first window of %s with a whole grain, as Redis keeps it', (window, at, resetAfter) => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 1, window });

    expect(budget.take(at).resetAfter).toBe(resetAfter);
  });

  it('has at most 2^20 grains in a first window, and so makes it longer by less than a millisecond or 1 in 100 000', () => {
    const windows = fc.oneof(fc.integer({ min: 1, max: 2 ** 21 }), fc.integer({ min: 1, max: 400 * 86_400_000 }));
    const moments = fc.integer({ min: 0, max: 4e9 });

    fc.assert(
      fc.property(windows, moments, (milliseconds, at) => {
        const window = milliseconds * 1000;
        const { grain } = definePolicy({
          algorithm: 'fixed-window',
          limit: 1,
          window: milliseconds,
        }) as FixedWindowPolicy;

        const { resetAfter } = new Budget({ algorithm: 'fixed-window', limit: 1, window: milliseconds }).take(
          at / 1000,
        );

        expect(window / grain).toBeLessThanOrEqual(2 ** 20);
        expect((EPOCH + at + resetAfter) % grain).toBe(0);
        expect(resetAfter).toBeGreaterThanOrEqual(window);
        expect(resetAfter - window).toBeLessThan(Math.max(1000, window / 100_000));
      }),
    );
  });

  it('ends a window of the clock with a whole window since 1970', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 2, window: '1h', anchor: 'clock' });

    expect(budget.take(3_599_000, 2)).toMatchObject({ charged: 2, resetAfter: SECOND });
    expect(budget.take(3_600_000, 2)).toMatchObject({ charged: 2, resetAfter: 3600 * SECOND });
  });

  it('has nothing to replenish or to reset when nothing was charged', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 2, window: '1h' });

    expect(budget.look(0)).toMatchObject({ remaining: 2, retryAfter: 0, replenishAfter: 0, resetAfter: 0 });
    expect(budget.stored).toBeUndefined();
  });

  it('gives back in the window of the charge only', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 3, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0, 3));

    expect(budget.refund(500, { ...receipt, units: 2 })).toBe(2);
    expect(budget.look(500).remaining).toBe(2);
    budget.take(1000, 3);
    expect(budget.refund(1000, receipt)).toBe(0);
  });

  it('gives back no more than the window counts', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 3, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0, 2));

    expect(budget.refund(0, receipt)).toBe(2);
    expect(budget.refund(0, receipt)).toBe(0);
    expect(budget.look(0).remaining).toBe(3);
  });

  it('keeps its count when the limit is cut and when it is raised again', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 10, window: '1s' });
    budget.take(0, 8);

    budget.change({ algorithm: 'fixed-window', limit: 5, window: '1s' });
    expect(budget.take(100)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 900_000 });

    budget.change({ algorithm: 'fixed-window', limit: 12, window: '1s' });
    expect(budget.take(200)).toMatchObject({ charged: 1, remaining: 3 });
  });

  it('re-dates a window that ends too late, with its count, and keeps that on a denial', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 1, window: '1s' });
    budget.take(10_000);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: SECOND });
    expect(budget.stored).toEqual([1, EPOCH + SECOND]);
    expect(budget.take(1000).charged).toBe(1);
  });

  it('counts to 2^32 - 1', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 2 ** 32 - 1, window: '400d', anchor: 'clock' });

    expect(budget.take(0, 2 ** 32 - 2).remaining).toBe(1);
    expect(budget.take(0, 2).charged).toBe(0);
    expect(budget.take(0).remaining).toBe(0);
  });

  it.each([
    [{ limit: 0 }, 'LIMIT_INVALID', 'limit', 0],
    [{ limit: 2 ** 32 }, 'LIMIT_INVALID', 'limit', 2 ** 32],
    [{ limit: 1.5 }, 'LIMIT_INVALID', 'limit', 1.5],
    [{ limit: '10' }, 'LIMIT_INVALID', 'limit', '10'],
    [{ window: '1 fortnight' }, 'WINDOW_INVALID', 'window', '1 fortnight'],
    [{ window: 0.5 }, 'WINDOW_INVALID', 'window', 0.5],
    [{ window: '401d' }, 'WINDOW_INVALID', 'window', '401d'],
    [{ anchor: 'last' }, 'OPTION_INVALID', 'anchor', 'last'],
    [{ burst: 5 }, 'OPTION_UNKNOWN', 'burst', 5],
  ])('refuses %j', (wrong, code, option, value) => {
    const options = { algorithm: 'fixed-window', limit: 10, window: '1s', ...wrong } as never;

    expect(() => definePolicy(options, 'tier "login"')).toThrow(
      expect.objectContaining({ name: 'ConfigError', code, option, value }),
    );
    expect(() => definePolicy(options, 'tier "login"')).toThrow(/^tier "login" \(fixed-window\): /);
  });

  it.each(['first', 'clock'] as const)('unpacks the current window from the integer in Redis, anchor %s', (anchor) => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 9, window: '1m', anchor }) as FixedWindowPolicy;
    const window = fixedWindow.charge(fixedWindow.read(undefined, EPOCH, policy), EPOCH, policy, 5);
    const value = ((window[1] / policy.grain) % 2 ** 21) * 2 ** 32 + window[0];

    expect(fixedWindow.packing!.unpack(value, EPOCH, policy)).toEqual(window);
    expect(fixedWindow.packing!.unpack(value, window[1] - 1, policy)).toEqual(window);
    expect(fixedWindow.packing!.unpack(0, EPOCH, policy)).toBeUndefined();
  });
});
