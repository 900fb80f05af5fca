import { definePolicy } from '../../algorithms/policy-options.js';
import { Overflow } from './overflow.js';

const MINUTE = 60_000_000;

describe('Overflow', () => {
  it('forgets what has expired, so that windows that come and go leave nothing behind', () => {
    const overflow = new Overflow();

    let most = 0;
    for (let number = 1; number <= 100; number += 1) {
      const policy = definePolicy({ algorithm: 'fixed-window', limit: 5, window: MINUTE / 1_000 + number });
      const now = number * MINUTE;
      overflow.write({ key: policy.dimensions, policy }, [1, now + MINUTE], now);
      most = Math.max(most, overflow.size);
    }

    expect(most).toBe(1);
  });
});
