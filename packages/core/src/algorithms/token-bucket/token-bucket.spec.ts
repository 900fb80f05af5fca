import { Budget, EPOCH } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';

const SECOND = 1_000_000;

/** A bucket of 10 units a second. */
const tenths = (burst = 10) => new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s', burst });
/** The same with an overdraft. */
const overdrawable = (overdraft: number) =>
  new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s', overdraft });

describe('token-bucket', () => {
  it.each([
    [{}, { limit: 100, quota: 100, capacity: 100, tolerance: [60 * SECOND, 0], numbers: [1, 100, 100, 600_000, 0, 0] }],
    [
      { burst: 20 },
      { limit: 100, quota: 20, capacity: 20, tolerance: [12 * SECOND, 0], numbers: [1, 20, 100, 600_000, 0, 0] },
    ],
  ])('holds the units of a window, or its burst: %j', (burst, expected) => {
    const options = { limit: 100, window: '1m', ...burst } as const;
    const policy = definePolicy({ algorithm: 'token-bucket', ...options });

    expect(policy).toMatchObject({ quotient: 600_000, remainder: 0, tick: 1, ...expected });
    expect(definePolicy({ algorithm: 'gcra', ...options })).toEqual(policy);
  });

  it('spends its whole burst together, and then one unit an interval', () => {
    const budget = tenths(3);

    expect(budget.take(0, 3)).toMatchObject({ charged: 3, limit: 3, remaining: 0, replenishAfter: 100_000 });
    expect(budget.look(0).resetAfter).toBe(300_000);
    expect(budget.take(0, 2)).toMatchObject({ charged: 0, retryAfter: 200_000 });
    expect(budget.take(99.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(150)).toMatchObject({ charged: 1, remaining: 0, replenishAfter: 50_000, resetAfter: 250_000 });
  });

  it('loses no fraction of a rate that does not divide its window', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 7, window: '1s' });
    budget.take(0, 7);

    // T is 142 857 and 1/7 microseconds: the 7000th unit is back after exactly 1000 s.
    for (let unit = 1; unit <= 7000; unit += 1) {
      const ready = Math.ceil((unit * SECOND) / 7);
      expect(budget.look((ready - 1) / 1000).retryAfter).toBe(1);
      expect(budget.take(ready / 1000).charged).toBe(1);
    }
    expect(budget.look(1_000_000)).toMatchObject({ remaining: 0, replenishAfter: 142_858, resetAfter: SECOND });
  });

  it.each([
    [10_000, '30d'],
    [1_000_000, '1d'],
    [90_000_000, '400d'],
    [90_000_000, 1],
  ] as const)('works for %i in %s', (limit, window) => {
    const budget = new Budget({ algorithm: 'token-bucket', limit, window });

    expect(budget.take(0, limit)).toMatchObject({ charged: limit, remaining: 0, resetAfter: budget.policy.window });
    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: Math.ceil(budget.policy.window / limit) });
  });

  it.each([
    // At 350 ms, 3.5 of 5 units have come back by themselves. 1 is left, and a part of another.
    ['the units that time has not given back', 5, 350, 2],
    ['a single unit after time has given back a part of it', 1, 20, 1],
  ])('refunds %s, and never below now', (_what, cost, at, given) => {
    const budget = tenths();
    const receipt = budget.receipt(0, budget.take(0, cost));

    expect(budget.refund(at, receipt)).toBe(given);
    expect(budget.look(at)).toMatchObject({ remaining: 10, resetAfter: 0 });
    expect(budget.stored).toEqual([EPOCH + at * 1000, 0]);
    expect(budget.refund(at, receipt)).toBe(0);
  });

  it('refunds no unit that is refilled, although later units are not', () => {
    const budget = tenths();
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.take(200, 5);

    expect(budget.refund(200, receipt)).toBe(0);
    expect(budget.look(200).remaining).toBe(5);
  });

  it('refunds units in full when later requests are charged behind them', () => {
    const budget = tenths();
    budget.take(0, 5);
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.take(0, 3);

    expect(budget.refund(500, receipt)).toBe(2);
    expect(budget.look(500)).toMatchObject({ remaining: 7, resetAfter: 300_000 });
  });

  it('refunds a charge of an earlier burst, and leaves the other units', () => {
    const budget = tenths(2);
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.change({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 100 });
    budget.take(0, 50);

    // A bucket of 2 could not have 52 spent; the key's bucket has.
    expect(budget.refund(0, receipt)).toBe(2);
    expect(budget.look(0)).toMatchObject({ remaining: 50, resetAfter: 5 * SECOND });
  });

  it('has the same units spent when burst or limit change', () => {
    const budget = tenths();
    budget.take(0, 8);

    budget.change({ algorithm: 'token-bucket', limit: 20, window: '1s' });
    expect(budget.look(0)).toMatchObject({ remaining: 4, resetAfter: 800_000 });
    budget.change({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 4 });
    expect(budget.take(0)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 100_000 });
    expect(budget.stored).toEqual([EPOCH + 400_000, 0]);
  });

  it('is full at most one refill after the clock stepped back, even on a denial', () => {
    const budget = tenths();
    budget.take(3_600_000, 10);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: 100_000, resetAfter: SECOND });
    expect(budget.stored).toEqual([EPOCH + SECOND, 0]);
  });

  it('denies requests until an overdraft has refilled', () => {
    const budget = overdrawable(20);
    budget.take(0, 8);

    expect(budget.settle(0, 17)).toMatchObject({ charged: 17, limit: 10 });
    expect(budget.take(0)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 1_600_000, resetAfter: 2_500_000 });
    expect(budget.look(0)).toMatchObject({ replenishAfter: 1_600_000 });
    expect(budget.take(1_599.999).charged).toBe(0);
    expect(budget.take(1_600)).toMatchObject({ charged: 1, remaining: 0 });
  });

  it('settles at most up to full and the overdraft', () => {
    const budget = overdrawable(20);

    expect(budget.settle(0, 1_000)).toMatchObject({ charged: 30, resetAfter: 3 * SECOND });
    expect(budget.settle(0, 1_000)).toMatchObject({ charged: 0, resetAfter: 3 * SECOND });
    expect(budget.settle(100, 1_000)).toMatchObject({ charged: 1, resetAfter: 3 * SECOND });
  });

  it('forgives nothing of an overdraft when a denied request counts', () => {
    const budget = overdrawable(20);
    budget.settle(0, 25);

    expect(budget.count(0, 3)).toMatchObject({ charged: 0, resetAfter: 2_500_000 });
    expect(budget.count(2_000, 30)).toMatchObject({ charged: 5, resetAfter: SECOND });
  });

  it('is overdrawn at most one refill after the clock stepped back', () => {
    const budget = overdrawable(20);
    budget.settle(3_600_000, 30);

    expect(budget.take(0)).toMatchObject({ charged: 0, resetAfter: 3 * SECOND });
    expect(budget.stored).toEqual([EPOCH + 3 * SECOND, 0]);
  });

  it('refunds units of an overdrawn bucket', () => {
    const budget = overdrawable(20);
    const receipt = budget.receipt(0, budget.take(0, 8));
    budget.settle(0, 12);

    expect(budget.refund(0, receipt)).toBe(8);
    expect(budget.look(0)).toMatchObject({ remaining: 0, replenishAfter: 300_000, resetAfter: 1_200_000 });
  });

  it('has other dimensions with another overdraft, and the same ones where it settles', () => {
    const [none, some, more] = [0, 20, 30].map((overdraft) => overdrawable(overdraft).policy);

    expect(none).toEqual(tenths().policy);
    expect(new Set([none, some, more].map((policy) => policy!.dimensions)).size).toBe(3);
    expect(some!.settling).toMatchObject({ dimensions: some!.dimensions, quota: 10, capacity: 30 });
    expect(some!.numbers).toEqual(none!.numbers.with(5, 20));
    expect(some!.settling!.numbers).toEqual(none!.numbers.with(1, 30));
  });
});
