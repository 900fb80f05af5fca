import { retryAfterOf } from './retry-after.js';

describe('retryAfterOf', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999.5, 60],
    [2_147_483_000, 2_147_483],
    [400 * 86_400_000, 2_147_483],
  ])('C22 rounds %d ms up to %d seconds, from 1 to the longest 32-bit timer', (retryAfter, seconds) => {
    expect(retryAfterOf({ retryAfter })).toBe(seconds);
  });

  it('returns undefined where waiting does not help', () => {
    expect(retryAfterOf({ retryAfter: Infinity })).toBeUndefined();
  });
});
