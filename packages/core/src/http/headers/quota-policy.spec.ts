import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { bindingPolicyOf, quotaPoliciesOf, type PolicyName } from './quota-policy.js';

const label: PolicyName = { tier: 'tier', number: 1 };

describe('quotaPoliciesOf', () => {
  it.each<[number | string, number]>([
    [1, 1],
    [500, 1],
    [1_000, 1],
    [1_001, 2],
    [1_500, 2],
    [60_000, 60],
    ['400d', 34_560_000],
  ])('C5 tells a window of %p as %d whole seconds, rounded up', (window, seconds) => {
    expect(quotas({ limit: 5, window } as PolicyOptions)).toEqual([{ name: 'tier', quota: 5, window: seconds }]);
  });

  it.each<[string, PolicyOptions, number, number]>([
    ['a bucket', { algorithm: 'token-bucket', limit: 10, window: '1m', burst: 40 }, 40, 240],
    ['a small bucket', { algorithm: 'token-bucket', limit: 1_000, window: '1h', burst: 1 }, 1, 4],
    ['a meter', { algorithm: 'leaky-bucket', limit: 2, window: '1s', burst: 5 }, 5, 3],
    ['a queue and the place that is served', { algorithm: 'leaky-bucket', limit: 2, window: '1s', queue: 4 }, 5, 3],
    // Doubles make it more than 29 s.
    ['a rate that is no double', { algorithm: 'token-bucket', limit: 7, window: '7s', burst: 29 }, 29, 29],
  ])('C4 tells what %s holds, and the time in which so much flows in', (_what, options, units, window) => {
    expect(quotas(options)).toEqual([{ name: 'tier', quota: units, window }]);
  });

  it('tells exactly the seconds in which a bucket is filled, rounded up', () => {
    const most = { limit: 90_000_000, milliseconds: 400 * 86_400_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: most.limit }),
        fc.integer({ min: 1, max: most.milliseconds }),
        fc.integer({ min: 1, max: most.limit }),
        (limit, window, burst) => {
          fc.pre(burst * (window / limit) <= most.milliseconds);

          const [quota] = quotas({ algorithm: 'token-bucket', limit, window, burst });

          const [time, second] = [BigInt(burst) * BigInt(window), 1_000n * BigInt(limit)];
          expect(quota!.window).toBe(Number((time + second - 1n) / second));
        },
      ),
    );
  });

  it('tells each window of a policy that has several, longest first', () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ] as const;

    expect(quotas({ algorithm: 'multi-window', windows })).toEqual([
      { name: 'tier/1m', quota: 100, window: 60 },
      { name: 'tier/1s', quota: 10, window: 1 },
    ]);
  });

  it('tells a limit of 0 by its window, whatever the burst is', () => {
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 90_000_000, window: '1m', burst: 500 });

    expect(quotaPoliciesOf(label, policy, 0)).toEqual([{ name: 'tier', quota: 0, window: 60 }]);
  });
});

describe('the name of a quota', () => {
  const windows = [
    { limit: 10, window: '1s' },
    { limit: 100, window: '90s' },
  ] as const;

  it('has a number where another tier of that name is told before it', () => {
    expect(names({ tier: 'tier', number: 2 }, { limit: 5, window: '1m' })).toEqual(['tier-2']);
    expect(names({ tier: 'tier', number: 2 }, { algorithm: 'multi-window', windows })).toEqual([
      'tier-2/90s',
      'tier-2/1s',
    ]);
  });

  it('C2 is cut to 64 characters, and keeps what tells it from others', () => {
    const tier = 'x'.repeat(64);

    expect(names({ tier, number: 1 }, { limit: 5, window: '1m' })).toEqual([tier]);
    expect(names({ tier, number: 3 }, { algorithm: 'multi-window', windows })).toEqual([
      `${'x'.repeat(58)}-3/90s`,
      `${'x'.repeat(59)}-3/1s`,
    ]);
  });
});

describe('bindingPolicyOf', () => {
  it('is that of the window whose limit was shown; of equal limits that of the longest, which has the least left', () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 10, window: '10s' },
      { limit: 100, window: '1m' },
    ] as const;
    const policy = definePolicy({ algorithm: 'multi-window', windows });

    expect(bindingPolicyOf(label, policy, 100).name).toBe('tier/1m');
    expect(bindingPolicyOf(label, policy, 10).name).toBe('tier/10s');
  });
});

function quotas(options: PolicyOptions) {
  const policy = definePolicy(options);
  return quotaPoliciesOf(label, policy, policy.quota);
}

function names(given: PolicyName, options: PolicyOptions): string[] {
  const policy = definePolicy(options);
  return quotaPoliciesOf(given, policy, policy.quota).map(({ name }) => name);
}
