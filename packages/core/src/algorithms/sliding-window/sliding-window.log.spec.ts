import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';
import { windowCounter, windowLog } from './windows.js';

const SECOND = 1_000_000;
const limits = fc.integer({ min: 1, max: 64 });

describe('sliding-window with a limit of at most 64', () => {
  it.each([
    [1, true],
    [64, true],
    [65, false],
  ])('stores the time of each unit: at %i %p', (limit, isLog) => {
    expect(definePolicy({ limit, window: '1m' }).algorithm === windowLog).toBe(isLog);
  });

  it.each([
    ['76h', 1],
    ['77h', 10],
    ['30d', 10],
    ['400d', 1000],
  ] as const)('counts a window of %s in ticks of %i us', (window, tick) => {
    expect(definePolicy({ limit: 5, window })).toMatchObject({ tick });
  });

  it('asks a client of one a minute to wait for one minute', () => {
    const budget = new Budget({ limit: 1, window: '1m' });
    budget.take(17_000);

    expect(budget.take(17_000)).toMatchObject({ charged: 0, retryAfter: 60 * SECOND, resetAfter: 60 * SECOND });
    expect(budget.take(76_999.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(77_000)).toMatchObject({ charged: 1, remaining: 0 });
  });

  it('never denies a client that spaces its requests evenly at the pace of the limit', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1000, max: 1e6 }), fc.nat(1e9), (limit, pause, phase) => {
        const window = (limit * pause) / 1000;
        const budget = new Budget({ limit, window });
        const sent = Array.from({ length: 4 * limit }, (_, index) => (phase + index * pause) / 1000);

        expect(sent.filter((now) => budget.take(now).charged === 0)).toEqual([]);
      }),
    );
  });

  it.each([{}, { precision: 10 }, { strict: true }])('admits at most the limit in any window, with %j', (options) => {
    const requests = fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 9 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(limits, requests, (limit, steps) => {
        const budget = new Budget({ limit, window: 1000, ...options });
        const admitted: number[] = [];
        let now = 0;
        for (const [pause, cost] of steps) {
          now += pause;
          const { charged } = budget.take(now, Math.min(cost, limit));
          admitted.push(...new Array<number>(charged).fill(now));
        }

        for (const start of admitted) {
          expect(admitted.filter((each) => each >= start && each < start + 1000).length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('keeps the units when the limit is raised above 64, and when it is cut again', () => {
    const budget = new Budget({ limit: 10, window: '1s' });
    budget.take(100, 4);
    budget.take(900, 3);

    budget.change({ limit: 100, window: '1s' });
    expect(budget.take(1000)).toMatchObject({ charged: 1, remaining: 92 });

    budget.change({ limit: 10, window: '1s' });
    // A ring has no times in its slots, so the 7 count until their slot is a window old.
    expect(budget.look(1000)).toMatchObject({ remaining: 2, replenishAfter: SECOND });
    expect(budget.look(2000)).toMatchObject({ remaining: 9 });
  });

  it('denies while more units than a lower limit are stored, and the higher limit finds them again', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    budget.take(500, 90);

    budget.change({ limit: 5, window: '1s' });
    expect(budget.take(600)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 1_400_000 });
    expect(budget.count(600, 1)).toMatchObject({ charged: 0 });
    budget.change({ limit: 100, window: '1s' });
    expect(budget.take(700, 11)).toMatchObject({ charged: 0, remaining: 10 });

    budget.change({ limit: 5, window: '1s' });
    expect(budget.look(1999.999)).toMatchObject({ remaining: 0, retryAfter: 1 });
    expect(budget.look(2000)).toMatchObject({ remaining: 5, resetAfter: 0 });
  });

  it.each([
    ['1h', 1],
    ['30d', 10],
  ] as const)('is not changed by a denial under a higher limit: %s', (window, logTick) => {
    const day = 86_400_000;
    const budget = new Budget({ limit: 60, window });
    budget.take(0, 60);
    const { stored } = budget;

    budget.change({ limit: 100, window });
    expect(budget.policy).toMatchObject({ algorithm: windowCounter, logTick, tick: 1 });
    expect(budget.take(0.003, 41)).toMatchObject({ charged: 0, remaining: 40 });
    expect(budget.take(0.003, 41).retryAfter).toBe(budget.policy.window - 3);
    expect(budget.look(0.003)).toMatchObject({ remaining: 40, resetAfter: budget.policy.window - 3 });
    expect(budget.stored).toBe(stored);

    budget.change({ limit: 60, window });
    expect(budget.look(window === '1h' ? day / 24 : 30 * day)).toMatchObject({ remaining: 60 });
  });

  it('refunds the units of one moment, also after the limit has moved across 64', () => {
    const options = { limit: 10, window: '1s' } as const;
    const budget = new Budget(options);
    const first = budget.receipt(100, budget.take(100, 2));
    const second = budget.receipt(200, budget.take(200, 3));

    expect(budget.refund(300, { ...first, units: 1 })).toBe(1);
    budget.change({ ...options, limit: 100 });
    expect(budget.refund(300, first)).toBe(1);
    budget.take(400);
    expect(budget.refund(400, second)).toBe(3);
    expect(budget.look(400)).toMatchObject({ remaining: 99 });
  });

  it('dates stamps of the future back to now', () => {
    const budget = new Budget({ limit: 3, window: '1s' });
    budget.take(8_500);
    budget.take(9_000, 2);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: SECOND });
    expect(budget.look(1000)).toMatchObject({ remaining: 3 });
  });
});
