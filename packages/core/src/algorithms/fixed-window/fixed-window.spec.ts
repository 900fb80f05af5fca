import { Budget, EPOCH } from '../../../../../test/support/budget.js';
import { definePolicy } from '../policy-options.js';

const SECOND = 1_000_000;

describe('fixed-window', () => {
  it('counts in microseconds, with a window that begins at the first request', () => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 100, window: '1m' });

    expect(policy).toMatchObject({ limit: 100, quota: 100, capacity: 100, window: 60 * SECOND, tick: 1 });
    expect(policy.numbers).toEqual([1, 100, 100, 60 * SECOND, 0]);
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

  it('ends a first window with a whole millisecond, as Redis keeps it', () => {
    const budget = new Budget({ algorithm: 'fixed-window', limit: 1, window: '1s' });

    expect(budget.take(0.25).resetAfter).toBe(SECOND + 750);
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
});
