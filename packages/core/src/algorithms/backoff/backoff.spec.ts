import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';
import type { BackoffOptions } from './backoff.js';

const failures: BackoffOptions = {
  algorithm: 'backoff',
  limit: 2,
  window: '1d',
  delays: ['30s', '1m'],
  forgive: 'all',
};

describe('backoff', () => {
  it('never admits more requests than its schedule allows', () => {
    const schedules = fc.record({
      limit: fc.nat(6),
      window: fc.integer({ min: 50, max: 400 }),
      delays: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 16 }),
      lock: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    });
    const attempts = fc.array(fc.tuple(fc.boolean(), fc.nat(60)), { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(schedules, attempts, ({ limit, lock, ...schedule }, moves) => {
        const lockAt = lock === undefined ? {} : { lockAt: limit + lock };
        const budget = new Budget({ ...failures, ...schedule, ...lockAt, limit });
        let now = 0;
        let admitted: number[] = [];
        for (const [waits, pause] of moves) {
          // Either at the first moment that is allowed, or at any other.
          now += waits ? Math.ceil(budget.look(now).retryAfter) : pause;
          if (budget.take(now).charged === 0) continue;
          if (admitted.length > 0 && now - admitted.at(-1)! >= schedule.window) admitted = [];
          admitted.push(now);
          expect(now - admitted[0]!).toBeGreaterThanOrEqual(earliest(admitted.length, limit, schedule.delays));
          expect(admitted.length).toBeLessThanOrEqual(limit + (lock ?? Infinity));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('admits each request at the first moment that its schedule allows', () => {
    const budget = new Budget(failures);
    for (let request = 0; request < 3; request += 1) budget.take(0);

    const charged = [30_000, 90_000, 150_000].map((now) => [budget.take(now - 1).charged, budget.take(now).charged]);

    expect(charged).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it.each([
    ['all', [1, 0]],
    ['one', [0, 1]],
  ] as const)('forgives %p of its strikes by a refund', (forgive, [charged, denied]) => {
    const budget = new Budget({ ...failures, limit: 1, forgive });
    const receipt = budget.receipt(0, budget.take(0));
    budget.take(0);
    budget.take(30_000);

    budget.refund(30_001, receipt);

    expect(budget.take(30_001).charged).toBe(charged);
    expect(budget.look(30_001).retryAfter > 0 ? 1 : 0).toBe(denied);
  });

  it('never extends a block by requests that it denies', () => {
    const budget = new Budget({ ...failures, limit: 0 });
    budget.take(0);
    for (let now = 1; now < 30_000; now += 100) expect(budget.take(now).charged).toBe(0);

    expect(budget.take(30_000).charged).toBe(1);
  });

  it('adds no strike for what a settlement charges while it blocks', () => {
    const budget = new Budget({ ...failures, limit: 0 });
    budget.take(0);
    const { stored } = budget;

    budget.settle(10_000, 1);

    expect(budget.stored).toEqual(stored);
  });

  it.each([
    [['2d'], /delays\[0\] must be a duration from 1 ms to the window/],
    [['30s', 0], /delays\[1\] must be a duration from 1 ms to the window/],
  ])('rejects the delays %p', (delays, message) => {
    expect(() => definePolicy({ ...failures, delays })).toThrow(message);
  });
});

/** How long after the first request the n-th may come. */
function earliest(count: number, limit: number, delays: readonly number[]): number {
  const blocks = Math.max(0, count - 1 - limit);
  return Array.from({ length: blocks }, (_, index) => delays[Math.min(index, delays.length - 1)]!).reduce(
    (sum, delay) => sum + delay,
    0,
  );
}
