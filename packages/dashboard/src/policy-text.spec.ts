import { definePolicy, type PolicyOptions } from '@sluice/core';
import { policyText } from './policy-text.js';
import { balance } from '@sluice/quotas';

describe('policyText', () => {
  it.each<[PolicyOptions, string]>([
    [{ limit: 600, window: '1m' }, '600 a minute, sliding window'],
    [{ algorithm: 'fixed-window', limit: 10_000, window: '1h' }, '10 000 an hour, fixed window'],
    [{ algorithm: 'fixed-window', limit: 10_000, period: 'month' }, '10 000 a month of the calendar'],
    [{ algorithm: 'sliding-window-log', limit: 5, window: '15m' }, '5 in 15m, sliding window log'],
    [{ algorithm: 'token-bucket', limit: 10, window: '1s' }, '10 a second, token bucket'],
    [{ algorithm: 'token-bucket', limit: 10, window: '1s', burst: 20 }, '10 a second, 20 together, token bucket'],
    [{ algorithm: 'leaky-bucket', limit: 1, window: '1d', queue: 4 }, '1 a day, 5 together, leaky bucket'],
    [{ algorithm: balance() }, 'a balance'],
    [{ algorithm: balance({ covers: ['month'] }) }, 'a balance, in the place of month'],
    [
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 100, window: '1m' },
          { limit: 500, window: '1h' },
        ],
      },
      '500 an hour and 100 a minute, multi window',
    ],
  ])('describes %j', (options, text) => {
    expect(policyText(definePolicy(options), false)).toBe(text);
  });

  it('names no limit that depends on the request', () => {
    expect(policyText(definePolicy({ limit: 1, window: '1m' }), true)).toBe(
      'a limit by request a minute, sliding window',
    );
  });
});
