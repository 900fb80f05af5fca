import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';

const queueOf = (queue: number) => new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue });

describe('leaky-bucket', () => {
  it('has one place more than requests may wait', () => {
    const policy = definePolicy({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 5 });

    expect(policy).toMatchObject({ quota: 6, capacity: 6, queued: true, numbers: [1, 6, 10, 100_000, 0, 0] });
  });

  it.each([
    [
      'queue 2',
      2,
      [0, 0, 0, 0, 50, 250],
      [
        [1, 0, 0],
        [1, 100_000, 0],
        [1, 200_000, 0],
        [0, 0, 100_000],
        [0, 0, 50_000],
        [1, 50_000, 0],
      ],
    ],
    [
      'queue 0',
      0,
      [0, 99.999, 100],
      [
        [1, 0, 0],
        [0, 0, 1],
        [1, 0, 0],
      ],
    ],
  ])('lets requests of a queue out one interval apart: %s', (_name, queue, moments, expected) => {
    const budget = queueOf(queue);

    const rulings = moments.map((moment) => budget.take(moment));

    expect(rulings.map(({ charged, delay, retryAfter }) => [charged, delay, retryAfter])).toEqual(expected);
  });

  it('spaces its output by exactly one interval, to the fraction', () => {
    const rate = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 100_000 }));
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 200 }), ([limit, window], queue) => {
        const budget = new Budget({ algorithm: 'leaky-bucket', limit, window, queue });

        const delays = Array.from({ length: queue + 1 }, () => budget.take(0).delay);

        // The n-th leaves n x window / limit later, in whole microseconds rounded up.
        expect(delays).toEqual(delays.map((_, index) => Math.ceil((index * window * 1000) / limit)));
        expect(budget.take(0)).toMatchObject({ charged: 0, delay: 0 });
      }),
    );
  });

  it('delays a cost by the units before it, and denies one above queue + 1 forever', () => {
    const budget = queueOf(9);

    expect([3, 2, 1].map((cost) => budget.take(0, cost).delay)).toEqual([0, 300_000, 500_000]);
    expect(budget.look(0)).toMatchObject({ remaining: 4, retryAfter: 0, delay: 600_000 });
    expect(budget.look(0, 5)).toMatchObject({ retryAfter: 100_000, delay: 0 });
    expect(budget.take(0, 11)).toMatchObject({ charged: 0, retryAfter: -1 });
  });

  it('refunds a place only when no request is behind it', () => {
    const budget = queueOf(4);
    const [first, second] = [0, 0].map((moment) => budget.receipt(moment, budget.take(moment)));

    expect([first, second, first].map((receipt) => budget.refund(0, receipt!))).toEqual([0, 1, 1]);
    expect(budget.look(0)).toMatchObject({ remaining: 5, delay: 0 });
  });
});
