import * as fc from 'fast-check';
import { Budget } from '../../testing/internal/budget.js';
import { definePolicy } from '../policy-options.js';

describe('leaky-bucket', () => {
  it('is a meter without a queue, and a queue of one place more than may wait', () => {
    const meter = definePolicy({ algorithm: 'leaky-bucket', limit: 10, window: '1s', burst: 5 });
    const queue = definePolicy({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 5 });

    expect(meter).toMatchObject({ quota: 5, capacity: 5, queued: false, numbers: [1, 5, 10, 100_000, 0, 0] });
    expect(queue).toMatchObject({ quota: 6, capacity: 6, queued: true, numbers: [1, 6, 10, 100_000, 0, 1] });
  });

  it('decides as a meter what a token bucket of the same numbers decides', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -200, max: 900 }), fc.nat(12)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), steps, (limit, burst, asked) => {
        const meter = new Budget({ algorithm: 'leaky-bucket', limit, window: 1000, burst });
        const bucket = new Budget({ algorithm: 'token-bucket', limit, window: 1000, burst });
        let now = 0;
        for (const [pause, cost] of asked) {
          now += pause;
          expect(meter.take(now, cost)).toEqual(bucket.take(now, cost));
        }
      }),
    );
  });

  it('lets the requests of a queue out one interval apart', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 2 });

    const rulings = [0, 0, 0, 0, 50, 250].map((moment) => budget.take(moment));

    expect(rulings.map(({ charged, delay, retryAfter }) => [charged, delay, retryAfter])).toEqual([
      [1, 0, 0],
      [1, 100_000, 0],
      [1, 200_000, 0],
      [0, 0, 100_000],
      [0, 0, 50_000],
      [1, 50_000, 0],
    ]);
  });

  it('spaces its output by exactly T, to the fraction', () => {
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

  it('waits for a cost as long as for so many requests', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 9 });

    expect(budget.take(0, 3).delay).toBe(0);
    expect(budget.take(0, 2).delay).toBe(300_000);
    expect(budget.take(0).delay).toBe(500_000);
  });

  it('tells whoever only looks how long it would wait', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 2 });
    budget.take(0, 2);

    expect(budget.look(0)).toMatchObject({ remaining: 1, retryAfter: 0, delay: 200_000 });
    expect(budget.look(0, 2)).toMatchObject({ retryAfter: 100_000, delay: 0 });
  });

  it('admits one at a time when nobody may wait', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 0 });

    expect(budget.take(0)).toMatchObject({ charged: 1, limit: 1, remaining: 0, delay: 0 });
    expect(budget.take(99.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(100)).toMatchObject({ charged: 1, delay: 0 });
  });

  it('never admits a cost above queue + 1', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 4 });

    expect(budget.take(0, 6)).toMatchObject({ charged: 0, retryAfter: -1 });
    expect(budget.take(0, 5)).toMatchObject({ charged: 5, retryAfter: 0 });
  });

  it('gives a place back only when nobody is behind it', () => {
    const budget = new Budget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 4 });
    const first = budget.receipt(0, budget.take(0));
    const second = budget.receipt(0, budget.take(0));

    expect(budget.refund(0, first)).toBe(0);
    expect(budget.refund(0, second)).toBe(1);
    expect(budget.refund(0, first)).toBe(1);
    expect(budget.look(0)).toMatchObject({ remaining: 5, delay: 0 });
  });

  it.each([
    [{ queue: -1 }, 'QUEUE_INVALID', 'queue', -1, /0 to 89999999/],
    [{ queue: 1.5 }, 'QUEUE_INVALID', 'queue', 1.5, /0 to 89999999/],
    [{ queue: 5, burst: 5 }, 'BURST_INVALID', 'burst', 5, /excludes queue/],
    [{ burst: 0 }, 'BURST_INVALID', 'burst', 0, /1 to 90000000/],
    [{ limit: 1, window: '1d', queue: 400 }, 'QUEUE_INVALID', 'queue', 400, /at this rate at most 399 do/],
  ])('refuses %j', (wrong, code, option, value, rule) => {
    const options = { algorithm: 'leaky-bucket', limit: 10, window: '1m', ...wrong } as never;

    expect(() => definePolicy(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code, option, value }));
    expect(() => definePolicy(options)).toThrow(rule);
  });
});
