import { Budget } from '../../../../../test/support/budget.js';
import { MAX_PAUSE_MS } from './pause.js';

const DAY = 86_400_000;

describe('pause', () => {
  it('denies until its latest end, and a shorter pause does not cut it', () => {
    const budget = new Budget({ algorithm: 'pause' });
    budget.count(0, 10 * DAY);
    budget.count(0, DAY);

    expect(budget.take(DAY)).toMatchObject({ charged: 0, remaining: 0, retryAfter: 9 * DAY });
    expect(budget.take(10 * DAY)).toMatchObject({ charged: 0, remaining: 1, retryAfter: 0 });
  });

  it('is dated back to the longest pause by a denial, once the clock has stepped back', () => {
    const budget = new Budget({ algorithm: 'pause' });
    budget.count(400 * DAY, DAY);

    expect(budget.look(0)).toMatchObject({ remaining: 0, retryAfter: MAX_PAUSE_MS });
    expect(budget.take(0)).toMatchObject({ remaining: 0, retryAfter: MAX_PAUSE_MS });
    expect(budget.take(DAY)).toMatchObject({ remaining: 0, retryAfter: MAX_PAUSE_MS - DAY });
    expect(budget.take(50 * DAY)).toMatchObject({ remaining: 1, retryAfter: 0 });
  });
});
