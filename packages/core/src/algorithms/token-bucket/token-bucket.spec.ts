import * as fc from 'fast-check';
import { Budget, EPOCH } from '../../testing/internal/budget.js';
import { definePolicy } from '../policy-options.js';
import { ceiling, isLater, subtract, timeOf, unitsBegun, unitsIn, type ArrivalTime } from './arrival-time.js';

const SECOND = 1_000_000;

describe('token-bucket', () => {
  it('holds what a window lets flow back, or its burst', () => {
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 100, window: '1m', burst: 20 });

    expect(definePolicy({ algorithm: 'token-bucket', limit: 100, window: '1m' })).toMatchObject({
      quota: 100,
      capacity: 100,
      tolerance: [60 * SECOND, 0],
    });
    expect(policy).toMatchObject({
      limit: 100,
      quota: 20,
      capacity: 20,
      quotient: 600_000,
      remainder: 0,
      tolerance: [12 * SECOND, 0],
      tick: 1,
    });
    expect(policy.numbers).toEqual([1, 20, 100, 600_000, 0]);
  });

  it('goes by the name of gcra as well', () => {
    const policy = definePolicy({ algorithm: 'gcra', limit: 100, window: '1m' });

    expect(policy).toEqual(definePolicy({ algorithm: 'token-bucket', limit: 100, window: '1m' }));
  });

  it('spends its burst at once and then one unit an interval', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 3 });

    expect(budget.take(0, 3)).toMatchObject({
      charged: 3,
      limit: 3,
      remaining: 0,
      replenishAfter: 100_000,
      resetAfter: 300_000,
    });
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

  it('gives back what time has not given back, and never below now', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0, 5));

    // At 350 ms 3.5 of the 5 have come back by themselves; what is left is 1 and the rest of another.
    expect(budget.refund(350, receipt)).toBe(2);
    expect(budget.look(350)).toMatchObject({ remaining: 10, resetAfter: 0 });
    expect(budget.stored).toEqual([EPOCH + 350_000, 0]);
  });

  it('gives a single unit back although time has given back a part of it', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0));

    expect(budget.refund(20, receipt)).toBe(1);
    expect(budget.look(20)).toMatchObject({ remaining: 10, resetAfter: 0 });
  });

  it('gives back in full what others stand on', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s' });
    budget.take(0, 5);
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.take(0, 3);

    expect(budget.refund(500, receipt)).toBe(2);
    expect(budget.look(500)).toMatchObject({ remaining: 7, resetAfter: 300_000 });
  });

  it('takes back a charge under the limit of that time and leaves the rest as it is', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 2 });
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.change({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 100 });
    budget.take(0, 50);

    // A bucket of 2 could not have 52 spent; the key's bucket has.
    expect(budget.refund(0, receipt)).toBe(2);
    expect(budget.look(0)).toMatchObject({ remaining: 50, resetAfter: 5 * SECOND });
  });

  it('keeps what is used when burst or limit change', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s' });
    budget.take(0, 8);

    budget.change({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 9 });
    expect(budget.look(0)).toMatchObject({ remaining: 1, resetAfter: 800_000 });
    budget.change({ algorithm: 'token-bucket', limit: 20, window: '1s' });
    expect(budget.look(0)).toMatchObject({ remaining: 4, resetAfter: 800_000 });
    budget.change({ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 4 });
    expect(budget.take(0)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 100_000 });
    expect(budget.stored).toEqual([EPOCH + 400_000, 0]);
  });

  it('is full at the latest one refill after the clock has stepped back, and keeps that on a denial', () => {
    const budget = new Budget({ algorithm: 'token-bucket', limit: 10, window: '1s' });
    budget.take(3_600_000, 10);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: 100_000, resetAfter: SECOND });
    expect(budget.stored).toEqual([EPOCH + SECOND, 0]);
  });

  it('admits at most burst + limit x W / window in any W', () => {
    const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), arrivals, (limit, burst, steps) => {
        const budget = new Budget({ algorithm: 'token-bucket', limit, window: 1000, burst });
        const admitted: [number, number][] = [];
        let now = 0;
        for (const [pause, cost] of steps) {
          now += pause;
          admitted.push([now, budget.take(now, cost).charged]);
        }

        for (const [index, [start]] of admitted.entries()) {
          let sum = 0;
          for (const [at, units] of admitted.slice(index)) {
            sum += units;
            expect(sum * 1000).toBeLessThanOrEqual(burst * 1000 + limit * (at - start));
          }
        }
      }),
    );
  });

  it.each([
    [{ limit: 90_000_001 }, 'LIMIT_INVALID', 'limit', 90_000_001, /from 1 to 90000000/],
    [{ burst: 0 }, 'BURST_INVALID', 'burst', 0, /from 1 to 90000000/],
    [{ burst: 90_000_001 }, 'BURST_INVALID', 'burst', 90_000_001, /from 1 to 90000000/],
    [
      { limit: 1, window: '1d', burst: 401 },
      'BURST_INVALID',
      'burst',
      401,
      /refill within 400 days: at this rate at most 400 do/,
    ],
    [{ brust: 1 }, 'OPTION_UNKNOWN', 'brust', 1, /did you mean burst\?/],
  ])('refuses %j', (wrong, code, option, value, rule) => {
    const options = { algorithm: 'token-bucket', limit: 10, window: '1m', ...wrong } as never;

    expect(() => definePolicy(options)).toThrow(expect.objectContaining({ name: 'ConfigError', code, option, value }));
    expect(() => definePolicy(options)).toThrow(rule);
  });
});

describe('An arrival time', () => {
  const interval = fc
    .tuple(
      fc.integer({ min: 1, max: 9e7 }),
      fc.integer({ min: 1e3, max: 400 * 8.64e10 }),
      fc.integer({ min: 1, max: 9e7 }),
    )
    .filter(([limit, window, capacity]) => capacity * (window / limit) <= 400 * 8.64e10)
    .map(([limit, window, capacity]) => ({
      limit,
      window,
      capacity,
      quotient: Math.floor(window / limit),
      remainder: window % limit,
    }));
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('is exact for any number of units', () => {
    fc.assert(
      fc.property(interval, share, (given, part) => {
        const units = Math.floor(given.capacity * part);

        expect(inParts(timeOf(units, given), given.limit)).toBe(BigInt(units) * BigInt(given.window));
      }),
    );
  });

  it('subtracts, compares and is rounded up like a fraction', () => {
    fc.assert(
      fc.property(interval, share, share, (given, first, second) => {
        const { limit, capacity } = given;
        const [one, other] = [first, second].map((part) => timeOf(Math.floor(capacity * part), given)) as [
          ArrivalTime,
          ArrivalTime,
        ];
        const [parts, others] = [inParts(one, limit), inParts(other, limit)];

        expect(inParts(subtract(one, other, limit), limit)).toBe(parts - others);
        expect(isLater(one, other)).toBe(parts > others);
        expect(BigInt(ceiling(one[0] - other[0], one[1] - other[1], limit))).toBe(ceilingOf(parts - others, limit));
      }),
    );
  });

  it('holds as many whole units as fit it, and has begun one more where there is a rest', () => {
    fc.assert(
      fc.property(interval, share, share, (given, part, rest) => {
        const tolerance = timeOf(given.capacity, given);
        const time: ArrivalTime = [Math.floor(tolerance[0] * part), Math.floor((given.limit - 1) * rest)];
        fc.pre(!isLater(time, tolerance));
        const parts = inParts(time, given.limit);

        expect(BigInt(unitsIn(time[0], time[1], given))).toBe(parts / BigInt(given.window));
        // What was not carried, or was borrowed.
        expect(unitsIn(time[0] + 1, time[1] - given.limit, given)).toBe(unitsIn(time[0], time[1], given));
        expect(BigInt(unitsBegun(time, given))).toBe((parts + BigInt(given.window) - 1n) / BigInt(given.window));
      }),
    );
  });

  it('holds one unit less when a part of it is missing, however many there are', () => {
    fc.assert(
      fc.property(interval, share, (given, part) => {
        const units = 1 + Math.floor((given.capacity - 1) * part);
        const time = subtract(timeOf(units, given), [0, 1], given.limit);

        fc.pre(given.limit > 1);
        expect(unitsIn(...timeOf(units, given), given)).toBe(units);
        expect(unitsIn(...time, given)).toBe(units - 1);
        expect(unitsBegun(time, given)).toBe(units);
      }),
      { examples: [[{ limit: 7, window: 400 * 8.64e10, capacity: 7, quotient: 4937142857142, remainder: 6 }, 1]] },
    );
  });
});

function ceilingOf(parts: bigint, limit: number): bigint {
  const divisor = BigInt(limit);
  // BigInt rounds towards 0.
  return parts > 0n ? (parts + divisor - 1n) / divisor : parts / divisor;
}

function inParts([ticks, rest]: ArrivalTime, limit: number): bigint {
  return BigInt(ticks) * BigInt(limit) + BigInt(rest);
}
