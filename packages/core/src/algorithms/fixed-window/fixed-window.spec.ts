import * as fc from 'fast-check';
import { Budget, EPOCH } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';
import { fixedWindow } from './fixed-window.js';
import type { FixedWindowPolicy } from './window-policy.js';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const perSecond = (limit: number) => new Budget({ algorithm: 'fixed-window', limit, window: '1s' });

describe('fixed-window', () => {
  it('counts in microseconds, with a window that begins at the first request', () => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 100, window: '1m' });

    expect(policy).toMatchObject({ limit: 100, quota: 100, capacity: 100, window: 60 * SECOND, tick: 1 });
    expect(policy.numbers).toEqual([1, 100, 100, 60 * SECOND, 1_000]);
    expect(policy.dimensions).toBe('fixed-window 60000000 first');
  });

  it('takes a window of whole weeks that begins at its first request', () => {
    expect(definePolicy({ algorithm: 'fixed-window', limit: 1, window: '8w' })).toMatchObject({ limit: 1 });
  });

  it.each(['1h', '1d', '8d', '30d'])('takes a window of %s by the clock', (window) => {
    expect(definePolicy({ algorithm: 'fixed-window', limit: 1, window, anchor: 'clock' })).toMatchObject({ limit: 1 });
  });

  it('admits the limit and denies until the window ends', () => {
    const budget = perSecond(3);

    expect(budget.look(200)).toMatchObject({ remaining: 3, retryAfter: 0, replenishAfter: 0, resetAfter: 0 });
    expect(budget.stored).toBeUndefined();
    expect(budget.take(200, 2)).toMatchObject({ charged: 2, remaining: 1, retryAfter: 0, resetAfter: SECOND });
    expect(budget.take(500, 2)).toMatchObject({ charged: 0, remaining: 1, retryAfter: 700_000 });
    expect(budget.take(500)).toMatchObject({ charged: 1, remaining: 0, replenishAfter: 700_000, resetAfter: 700_000 });
    expect(budget.take(1199.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1200)).toMatchObject({ charged: 1, remaining: 2, resetAfter: SECOND });
  });

  it.each([
    ['1s', 0.25, SECOND + 750],
    ['17m', 0.25, 17 * MINUTE + 750],
    ['18m', 0.25, 18 * MINUTE + 9_750],
    ['1d', 7, 24 * HOUR + 93_000],
    ['400d', 7, 400 * 24 * HOUR + 99_993_000],
  ] as const)('ends a first window of %s with a whole grain, as Redis stores it', (window, at, resetAfter) => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 1, window });

    expect(budget.take(at).resetAfter).toBe(resetAfter);
  });

  it('lengthens a first window by less than a millisecond or 1 in 100 000, with at most 2^20 grains', () => {
    const windows = fc.oneof(fc.integer({ min: 1, max: 2 ** 21 }), fc.integer({ min: 1, max: 400 * 86_400_000 }));

    fc.assert(
      fc.property(windows, fc.integer({ min: 0, max: 4e9 }), (window, at) => {
        const budget = new Budget({ algorithm: 'fixed-window', limit: 1, window });
        const { grain } = budget.policy as FixedWindowPolicy;

        const { resetAfter } = budget.take(at / 1000);

        expect((window * 1000) / grain).toBeLessThanOrEqual(2 ** 20);
        expect((EPOCH + at + resetAfter) % grain).toBe(0);
        expect(resetAfter).toBeGreaterThanOrEqual(window * 1000);
        expect(resetAfter - window * 1000).toBeLessThan(Math.max(1000, window / 100));
      }),
    );
  });

  it('ends a window of the clock with a whole window since 1970', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 2, window: '1h', anchor: 'clock' });

    expect(budget.take(3_599_000, 2)).toMatchObject({ charged: 2, resetAfter: SECOND });
    expect(budget.take(3_600_000, 2)).toMatchObject({ charged: 2, resetAfter: HOUR });
  });

  it('refunds only in the window of the charge, and no more than it counts', () => {
    const budget = perSecond(3);
    const receipt = budget.receipt(0, budget.take(0, 3));

    expect(budget.refund(500, { ...receipt, units: 2 })).toBe(2);
    expect(budget.refund(500, receipt)).toBe(1);
    expect(budget.refund(500, receipt)).toBe(0);
    budget.take(1000, 3);
    expect(budget.refund(1000, receipt)).toBe(0);
  });

  it('dates a window that ends too late back, with its count, even on a denial', () => {
    const budget = perSecond(1);
    budget.take(10_000);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: SECOND });
    expect(budget.stored).toEqual([1, EPOCH + SECOND]);
    expect(budget.take(1000).charged).toBe(1);
  });

  it('counts a denied charge up to the limit', () => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 9, window: '1m' }) as FixedWindowPolicy;
    const window = fixedWindow.read(undefined, EPOCH, policy);

    expect(fixedWindow.charge(window, EPOCH, policy, 10)).toEqual([9, window[1]]);
  });

  it('counts to 2^32 - 1', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 2 ** 32 - 1, window: '400d', anchor: 'clock' });

    expect(budget.take(0, 2 ** 32 - 2).remaining).toBe(1);
    expect(budget.take(0, 2).charged).toBe(0);
    expect(budget.take(0).remaining).toBe(0);
  });

  it.each(['first', 'clock'] as const)('unpacks the current window from the integer in Redis, anchor %s', (anchor) => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 9, window: '1m', anchor }) as FixedWindowPolicy;
    const window = fixedWindow.charge(fixedWindow.read(undefined, EPOCH, policy), EPOCH, policy, 5);
    const value = ((window[1] / policy.grain) % 2 ** 21) * 2 ** 32 + window[0];

    expect(fixedWindow.packing!.unpack([value], 0, EPOCH, policy)).toEqual(window);
    expect(fixedWindow.packing!.unpack([value], 0, window[1] - 1, policy)).toEqual(window);
    expect(fixedWindow.packing!.unpack([0], 0, EPOCH, policy)).toBeUndefined();
  });
});
