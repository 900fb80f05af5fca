import * as fc from 'fast-check';

import { definePolicy, type PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import { bindingPolicyOf, quotaPoliciesOf, type PolicyName } from './quota-policy.js';

const tier: PolicyName = { tier: 'tier', number: 1 };
const windows = [
  { limit: 10, window: '1s' },
  { limit: 100, window: '90s' },
] as const;

describe('quotaPoliciesOf', () => {
  it.each<[number | string, number]>([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [60_000, 60],
    ['400d', 34_560_000],
  ])('C5 rounds a window of %p up to %d seconds', (window, seconds) => {
    expect(policiesOf({ limit: 5, window })).toEqual([{ name: 'tier', quota: 5, window: seconds }]);
  });

  it.each<[string, PolicyOptions, number, number]>([
    ['a bucket', { algorithm: 'token-bucket', limit: 10, window: '1m', burst: 40 }, 40, 240],
    ['a small bucket', { algorithm: 'token-bucket', limit: 1_000, window: '1h', burst: 1 }, 1, 4],
    ['a queue and the request in service', { algorithm: 'leaky-bucket', limit: 2, window: '1s', queue: 4 }, 5, 3],
    [
      'a rate that doubles would round to 30 s',
      { algorithm: 'token-bucket', limit: 7, window: '7s', burst: 29 },
      29,
      29,
    ],
  ])('C4 reports the capacity of %s, and the time in which it fills', (_case, options, quota, window) => {
    expect(policiesOf(options)).toEqual([{ name: 'tier', quota, window }]);
  });

  it('reports the exact time in which a bucket fills, rounded up', () => {
    const max = { limit: 90_000_000, milliseconds: 400 * 86_400_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: max.limit }),
        fc.integer({ min: 1, max: max.milliseconds }),
        fc.integer({ min: 1, max: max.limit }),
        (limit, window, burst) => {
          fc.pre(burst * (window / limit) <= max.milliseconds);

          const [policy] = policiesOf({ algorithm: 'token-bucket', limit, window, burst });

          const [time, second] = [BigInt(burst) * BigInt(window), 1_000n * BigInt(limit)];
          expect(policy!.window).toBe(Number((time + second - 1n) / second));
        },
      ),
    );
  });

  it('reports each window of a multi-window policy, longest first', () => {
    expect(policiesOf({ algorithm: 'multi-window', windows })).toEqual([
      { name: 'tier/90s', quota: 100, window: 90 },
      { name: 'tier/1s', quota: 10, window: 1 },
    ]);
  });

  it('reports the window of a limit of 0, with any burst', () => {
    const policy = definePolicy({ algorithm: 'token-bucket', limit: 90_000_000, window: '1m', burst: 500 });

    expect(quotaPoliciesOf(tier, policy, { limit: 0, resetAfter: 0 })).toEqual([
      { name: 'tier', quota: 0, window: 60 },
    ]);
  });

  it('C2 adds the number to a name, and cuts it to 64 characters', () => {
    const long = 'x'.repeat(64);

    expect(namesOf({ tier: 'tier', number: 2 }, { algorithm: 'multi-window', windows })).toEqual([
      'tier-2/90s',
      'tier-2/1s',
    ]);
    expect(namesOf({ tier: long, number: 1 }, { limit: 5, window: '1m' })).toEqual([long]);
    expect(namesOf({ tier: long, number: 3 }, { algorithm: 'multi-window', windows })).toEqual([
      `${'x'.repeat(58)}-3/90s`,
      `${'x'.repeat(59)}-3/1s`,
    ]);
  });
});

describe('bindingPolicyOf', () => {
  it('returns the window of a limit, and of equal limits the longest', () => {
    const equal = [...windows, { limit: 10, window: '10s' }] as const;
    const policy = definePolicy({ algorithm: 'multi-window', windows: equal });

    expect(bindingPolicyOf(tier, policy, { limit: 100, resetAfter: 0 }).name).toBe('tier/90s');
    expect(bindingPolicyOf(tier, policy, { limit: 10, resetAfter: 0 }).name).toBe('tier/10s');
  });
});

function policiesOf(options: PolicyOptions) {
  const policy = definePolicy(options);
  return quotaPoliciesOf(tier, policy, { limit: policy.quota, resetAfter: 0 });
}

function namesOf(name: PolicyName, options: PolicyOptions): string[] {
  const policy = definePolicy(options);
  return quotaPoliciesOf(name, policy, { limit: policy.quota, resetAfter: 0 }).map((each) => each.name);
}
