import * as fc from 'fast-check';
import { Budget } from '../../../../../test/support/budget.js';
import { definePolicy } from '../named/policy-options.js';
import { Stamps } from './stamps.js';

const SECOND = 1_000_000;

const perSecond = (limit: number) => new Budget({ algorithm: 'sliding-window-log', limit, window: '1s' });

describe('sliding-window-log', () => {
  it('counts in microseconds', () => {
    const policy = definePolicy({ algorithm: 'sliding-window-log', limit: 10_000, window: '1h' });

    expect(policy).toMatchObject({ quota: 10_000, capacity: 10_000, tick: 1, window: 3600 * SECOND });
    expect(policy.numbers).toEqual([1, 10_000, 10_000, 3600 * SECOND]);
  });

  it('drops all units of a moment together', () => {
    const budget = perSecond(3);
    budget.take(0, 3);

    expect(budget.look(1000)).toMatchObject({ remaining: 3, resetAfter: 0 });
  });

  it('counts a unit for exactly one window', () => {
    const budget = perSecond(3);
    budget.take(0);
    budget.take(100, 2);

    expect(budget.take(500)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 500_000, resetAfter: 600_000 });
    expect(budget.look(500).replenishAfter).toBe(500_000);
    expect(budget.take(500, 2)).toMatchObject({ charged: 0, retryAfter: 600_000 });
    expect(budget.take(999.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.take(1000)).toMatchObject({ charged: 1, remaining: 0, replenishAfter: 100_000, resetAfter: SECOND });
  });

  it.each([1, 2, 3, 5])('drops %i units of one moment together', (units) => {
    const budget = perSecond(5);
    budget.take(0, units);

    expect(budget.look(999.999).remaining).toBe(5 - units);
    expect(budget.look(1000).remaining).toBe(5);
  });

  it('refunds the units of one moment', () => {
    const budget = perSecond(5);
    budget.take(0, 1);
    const receipt = budget.receipt(100, budget.take(100, 2));
    budget.take(200, 2);

    expect(budget.refund(300, { ...receipt, units: 1 })).toBe(1);
    expect(budget.refund(300, receipt)).toBe(1);
    expect(budget.refund(300, receipt)).toBe(0);
    expect(budget.look(300)).toMatchObject({ remaining: 2, replenishAfter: 700_000 });
    expect(budget.refund(1100, receipt)).toBe(0);
  });

  it('has the same entries after the limit is cut and raised', () => {
    const budget = perSecond(5);
    for (const moment of [0, 100, 200, 300, 400]) budget.take(moment);

    budget.change({ algorithm: 'sliding-window-log', limit: 2, window: '1s' });
    expect(budget.take(500)).toMatchObject({ remaining: 0, retryAfter: 800_000, replenishAfter: 800_000 });

    budget.change({ algorithm: 'sliding-window-log', limit: 7, window: '1s' });
    expect(budget.take(500)).toMatchObject({ charged: 1, remaining: 1 });
  });

  it('drops a log that was written in the future', () => {
    const budget = perSecond(2);
    budget.take(9_000, 2);

    expect(budget.take(0)).toMatchObject({ charged: 1, remaining: 1 });
    expect(budget.take(9_000, 2)).toMatchObject({ charged: 2 });
  });
});

describe('Stamps', () => {
  it('contain what an array would, and older views never change', () => {
    const operation = fc.tuple(fc.constantFrom('add', 'drop', 'remove'), fc.nat(40), fc.nat(200));
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const views: [Stamps, number[]][] = [[new Stamps([], 0, 0), []]];
        let stamp = 0;
        for (const [kind, count, which] of operations) {
          const [stamps, array] = views[views.length - 1 - (which % Math.min(3, views.length))]!;
          if (kind === 'add') {
            stamp += count % 3;
            const units = new Array<number>(count).fill(stamp);
            views.push([stamps.add(stamp, count), [...array, ...units]]);
          } else if (kind === 'drop') {
            const dropped = Math.min(count, array.length);
            views.push([stamps.drop(dropped), array.slice(dropped)]);
          } else {
            const target = array[which % Math.max(1, array.length)] ?? stamp;
            const { stamps: rest, removed } = stamps.remove(target, count);
            const start = array.indexOf(target);
            views.push([rest, array.filter((_, index) => index < start || index >= start + removed)]);
          }
        }

        for (const [stamps, array] of views) {
          expect(Array.from({ length: stamps.length }, (_, index) => stamps.at(index))).toEqual(array);
        }
      }),
    );
  });

  it('are not copied by drop, nor by remove when it finds no unit', () => {
    const shared = new CountingArray();
    const stamps = new Stamps(shared, 0, 0).add(1, 10_000).add(2, 100);

    const view = stamps.drop(10_000);
    view.drop(50);
    view.remove(1, 5);
    view.remove(3, 5);

    expect(copied).toBe(0);
    expect([view.length, view.at(0)]).toEqual([100, 2]);
  });

  it('are copied at most once for each dropped unit', () => {
    let stamps = new Stamps(new CountingArray(), 0, 0).add(0, 1_000);

    for (let stamp = 1; stamp <= 50_000; stamp += 1) stamps = stamps.drop(1).add(stamp, 1);

    expect(stamps.at(999)).toBe(50_000);
    expect(copied).toBeGreaterThan(0);
    expect(copied).toBeLessThanOrEqual(50_000);
  });

  let copied = 0;
  beforeEach(() => {
    copied = 0;
  });

  /** Counts the entries that it copies. */
  class CountingArray extends Array<number> {
    override slice(start: number, end: number): number[] {
      copied += end - start;
      return super.slice(start, end);
    }
  }
});
