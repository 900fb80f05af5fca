import { retryAfterOf } from './retry-after.js';

describe('retryAfterOf', () => {
  it.each([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999.5, 60],
    [2_147_483_000, 2_147_483],
  ])('C22 makes %d ms %d whole seconds, never less than has to be waited', (retryAfter, seconds) => {
    expect(retryAfterOf({ retryAfter })).toBe(seconds);
  });

  it('C22 tells at least 1, for clients take 0 for "at once"', () => {
    expect(retryAfterOf({ retryAfter: 0 })).toBe(1);
  });

  it.each([2_147_483_001, 400 * 86_400_000])(
    'C22 tells at most what a timer of 32 bits holds, for %d ms',
    (retryAfter) => {
      expect(retryAfterOf({ retryAfter })).toBe(2_147_483);
      expect(retryAfterOf({ retryAfter })! * 1_000).toBeLessThan(2 ** 31);
    },
  );

  it('tells nothing where waiting does not help', () => {
    expect(retryAfterOf({ retryAfter: Infinity })).toBeUndefined();
  });
});
