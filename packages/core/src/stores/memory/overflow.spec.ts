import { definePolicy } from '../../algorithms/named/policy-options.js';
import { Overflow } from './overflow.js';

const MINUTE = 60_000_000;

describe('Overflow', () => {
  it('drops expired states when another way of counting comes', () => {
    const overflow = new Overflow();

    let largest = 0;
    for (let number = 1; number <= 100; number += 1) {
      const policy = definePolicy({ algorithm: 'fixed-window', limit: 5, window: MINUTE / 1_000 + number });
      const now = number * MINUTE;
      overflow.write({ key: policy.dimensions, policy }, [1, now + MINUTE], now);
      largest = Math.max(largest, overflow.size);
    }

    expect(largest).toBe(1);
  });
});
