import { Budget, EPOCH } from '../../../../../test/support/budget.js';
import { definePolicy, type PolicyOptions } from '../named/policy-options.js';
import { movingBucket, withMovingLimit } from './moving-bucket.js';
import type { BucketPolicy } from './bucket-policy.js';

const SECOND = 1_000_000;

/** A budget whose policies are those of a limit function. */
class MovingBudget extends Budget {
  constructor(options: PolicyOptions) {
    super(options);
    this.change(options);
  }

  override change(options: PolicyOptions): void {
    this.policy = withMovingLimit(definePolicy(options));
  }
}

const writes = { algorithm: 'token-bucket', limit: 10, window: '1h', burst: 10 } as const;
const reads = { ...writes, limit: 100 };

describe('A bucket whose limit moves', () => {
  it('refills a unit by the limit that charged it', () => {
    const budget = new MovingBudget(writes);

    expect(budget.take(0)).toMatchObject({ charged: 1, limit: 10, remaining: 9, resetAfter: 360 * SECOND });
    budget.change(reads);
    expect(budget.take(0)).toMatchObject({ charged: 1, remaining: 8, resetAfter: 396 * SECOND });
    // Two units leave in 396 s, one after the other.
    expect(budget.look(0).replenishAfter).toBe(198 * SECOND);
    expect(budget.look(198_000)).toMatchObject({ remaining: 9, resetAfter: 198 * SECOND });
  });

  it('owes nothing when an undo takes its last unit, also where rounding has left a tick', () => {
    const all = 1e7;
    const options = { algorithm: 'token-bucket', limit: all, window: '1h', burst: all } as const;
    const policy = withMovingLimit(definePolicy(options)) as BucketPolicy;
    const until = EPOCH + 3_600 * SECOND + 1;
    const undo = { units: all, at: EPOCH, until, undone: true } as const;

    const { state, given } = movingBucket.refund([until, EPOCH, all], EPOCH, policy, undo);

    expect([state, given]).toEqual([[EPOCH, EPOCH, 0], all]);
  });

  it('keeps the units of a lower limit when a higher one denies', () => {
    const budget = new MovingBudget(writes);
    budget.take(0, 10);
    const { stored } = budget;

    budget.change(reads);
    expect(budget.take(0)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 360 * SECOND });
    expect(budget.take(359_999.999)).toMatchObject({ charged: 0, retryAfter: 1 });
    expect(budget.stored).toBe(stored);
    budget.change(writes);
    expect(budget.look(359_999.999)).toMatchObject({ remaining: 0, retryAfter: 1 });
    expect(budget.look(360_000)).toMatchObject({ remaining: 1 });
  });

  it('keeps an overdraft when a higher limit denies', () => {
    const budget = new MovingBudget({ ...writes, overdraft: 20 });
    budget.take(0, 10);
    budget.settle(0, 50);

    budget.change({ ...reads, overdraft: 20 });
    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: 21 * 360 * SECOND });
    budget.change({ ...writes, overdraft: 20 });
    expect(budget.look(0)).toMatchObject({ remaining: 0, retryAfter: 21 * 360 * SECOND });
  });

  it('moves back with a clock that stepped back, even on a denial', () => {
    const budget = new MovingBudget(writes);
    budget.take(3_600_000, 10);

    expect(budget.take(0)).toMatchObject({ charged: 0, retryAfter: 360 * SECOND, resetAfter: 3600 * SECOND });
    expect(budget.stored).toEqual([EPOCH + 3600 * SECOND, EPOCH, 10]);
  });

  it('refunds the units of a charge, and leaves the others', () => {
    const budget = new MovingBudget(reads);
    budget.take(0, 4);
    budget.change(writes);
    const receipt = budget.receipt(0, budget.take(0, 2));
    budget.change(reads);
    budget.take(0, 3);

    expect(budget.refund(0, receipt)).toBe(2);
    expect(budget.look(0)).toMatchObject({ remaining: 3 });
    expect(budget.refund(0, { ...receipt, until: EPOCH })).toBe(0);
  });

  it('refunds a queued request only when no other is behind it', () => {
    const budget = new MovingBudget({ algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 4 });
    const [first, second] = [0, 0].map((moment) => budget.receipt(moment, budget.take(moment)));
    expect(budget.take(0)).toMatchObject({ delay: 200_000 });

    expect([first, second].map((receipt) => budget.refund(0, receipt!))).toEqual([0, 0]);
  });
});
