import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';

const SECOND = 1_000_000;

describe('sliding-window', () => {
  it('is the algorithm of options without one', () => {
    const policy = definePolicy({ limit: 100, window: '1m' });

    expect(policy).toMatchObject({ algorithm: { name: 'sliding-window' }, quota: 100, capacity: 100, tick: 1 });
    expect(policy).toMatchObject({ slot: 60 * SECOND, slots: 1, ring: 2 });
    expect(policy.numbers).toEqual([1, 100, 100, 60 * SECOND, 1, 0, 1, 0]);
  });

  it.each([
    [{ strict: true }, { slots: 50, slot: 1.2 * SECOND, strict: true }],
    [{ precision: 6 }, { slots: 6, slot: 10 * SECOND, strict: false }],
    // A product of coarser ticks is an exact integer.
    [
      { limit: 10_000, window: '30d' },
      { tick: 10, slot: 30 * 86_400 * 1e5 },
    ],
    [{ limit: 1_000_000, window: '1d' }, { tick: 100 }],
    [{ limit: 2 ** 32 - 1, window: '1s' }, { tick: 1 }],
  ] as const)('counts by %j in slots and ticks of %j', (options, expected) => {
    expect(definePolicy({ limit: 100, window: '1m', ...options })).toMatchObject(expected);
  });

  it('weighs the previous slot by the share that the window still covers, rounded up', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    budget.take(0, 100);

    // 0.745 of 100 are 74.5 and count 75.
    expect(budget.look(1255)).toMatchObject({ remaining: 25, replenishAfter: 5_000 });
    expect(budget.take(1255, 26)).toMatchObject({ charged: 0, retryAfter: 5_000 });
    expect(budget.take(1259.999, 26)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1260, 26)).toMatchObject({ charged: 26, remaining: 0 });
    // The 26 are gone one slot after theirs has ended.
    expect(budget.look(1260).resetAfter).toBe(1.74 * SECOND);
  });

  it('waits into the next slot when this one alone is full', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    budget.take(500, 100);

    // From 1000 on the 100 melt: 90 at 1100, 50 at 1500.
    expect([10, 50, 100].map((cost) => budget.take(500, cost).retryAfter)).toEqual([600_000, 1_000_000, 1_500_000]);
  });

  it('counts the oldest slot in full when it is strict', () => {
    const budget = new Budget({ limit: 100, window: '1s', strict: true, precision: 10 });
    budget.take(50, 100);

    expect(budget.look(1050).remaining).toBe(0);
    expect(budget.take(1099.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1100)).toMatchObject({ charged: 1, remaining: 99 });
  });

  it('refunds to the slot of the charge, while the ring has it', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    const receipt = budget.receipt(0, budget.take(0, 100));
    budget.take(1900, 90);

    expect(budget.look(1900).remaining).toBe(0);
    expect(budget.refund(1900, receipt)).toBe(100);
    expect(budget.look(1900).remaining).toBe(10);
    expect(budget.refund(2000, receipt)).toBe(0);
  });

  it('counts the limit at most after a cut, and in full after it is raised again', () => {
    const budget = new Budget({ limit: 1000, window: '1s' });
    budget.take(0, 800);

    budget.change({ limit: 100, window: '1s' });
    // 800 count as 100: half of them are over at 1500.
    expect(budget.look(1500)).toMatchObject({ remaining: 50 });

    budget.change({ limit: 1000, window: '1s' });
    expect(budget.look(1500)).toMatchObject({ remaining: 600 });
  });

  it('dates slots of the future back to now, with their counts', () => {
    const budget = new Budget({ limit: 100, window: '1s' });
    budget.take(9_000, 4);
    budget.take(10_000, 96);

    expect(budget.take(0, 5)).toMatchObject({ charged: 0, remaining: 0, resetAfter: 2 * SECOND });
    expect(budget.stored).toEqual([expect.any(Number), 96, 4]);
    expect(budget.look(2000)).toMatchObject({ remaining: 100, resetAfter: 0 });
  });

  it('never denies a client that sends at 94 % of the pace of a limit above 64', () => {
    const phases = fc.integer({ min: 0, max: 999_999 });
    fc.assert(
      fc.property(fc.integer({ min: 65, max: 500 }), phases, (limit, phase) => {
        const budget = new Budget({ limit, window: 1000 });
        const sent = Array.from({ length: 3 * limit }, (_, index) => phase / 1000 + (index * 1000) / (limit * 0.94));

        expect(sent.filter((now) => budget.take(now).charged === 0)).toEqual([]);
      }),
    );
  });

  it.each([
    [10_000, '30d', 10],
    [1_000_000, '1d', 100],
  ] as const)('admits exactly %i units in %s, and the next one exactly after retryAfter', (limit, window, tick) => {
    const budget = new Budget({ limit, window });
    budget.take(0, limit - 1);
    budget.take(1);

    const { retryAfter } = budget.take(1);
    const waited = 1 + (retryAfter * tick) / 1000;

    expect(budget.look(waited - tick / 1000).retryAfter).toBe(1);
    expect(budget.look(waited).retryAfter).toBe(0);
  });

  it('admits almost twice the limit to a client that spends on both sides of an edge', () => {
    const budget = new Budget({ limit: 100, window: 1000 });

    const before = budget.take(999, 100).charged;
    const after = Array.from({ length: 999 }, (_, passed) => budget.take(1000 + passed).charged);

    expect(after.reduce((sum, units) => sum + units, before)).toBe(199);
  });
});
