import type { PermitPolicy } from '../algorithms/concurrency/permit-policy.js';
import { waitingPolicy } from '../algorithms/concurrency/wishes/waiting-concurrency.js';
import { definePolicy, type PolicyOptions } from '../algorithms/named/policy-options.js';
import { policyText, samePolicy } from './policy.js';

describe('samePolicy', () => {
  it.each<[string, PolicyOptions, PolicyOptions]>([
    ['written in other units', { limit: 5, window: '1m' }, { limit: 5, window: 60_000 }],
    [
      'with the default written out',
      { limit: 5, window: '1m' },
      { algorithm: 'sliding-window', limit: 5, window: '1m', precision: 1 },
    ],
    ['gcra and token-bucket', bucket('gcra', 5), bucket('token-bucket', 5)],
  ])('is true for policies with equal numbers: %s', (_name, one, other) => {
    expect(samePolicy(definePolicy(one), definePolicy(other))).toBe(true);
    expect(policyText(definePolicy(one))).toBe(policyText(definePolicy(other)));
  });

  it.each<[string, PolicyOptions, PolicyOptions]>([
    ['limit', { limit: 5, window: '1m' }, { limit: 6, window: '1m' }],
    ['window', { limit: 5, window: '1m' }, { limit: 5, window: '2m' }],
    ['precision', { limit: 5, window: '1m' }, { limit: 5, window: '1m', precision: 2 }],
    ['algorithm', { limit: 5, window: '1m' }, { algorithm: 'sliding-window-log', limit: 5, window: '1m' }],
    ['burst', bucket('token-bucket', 5), bucket('token-bucket', 6)],
    ['bucket and queue', bucket('token-bucket', 5), { algorithm: 'leaky-bucket', limit: 1, window: '1s', queue: 4 }],
  ])('is false for another %s', (_name, one, other) => {
    expect(samePolicy(definePolicy(one), definePolicy(other))).toBe(false);
    expect(policyText(definePolicy(one))).not.toBe(policyText(definePolicy(other)));
  });
});

it('samePolicy tells a limit that requests wait for from one that they do not wait for', () => {
  const permits = definePolicy({ algorithm: 'concurrency', limit: 5 }) as PermitPolicy;

  expect(samePolicy(permits, waitingPolicy(permits))).toBe(false);
});

function bucket(algorithm: 'gcra' | 'token-bucket', burst: number): PolicyOptions {
  return { algorithm, limit: 1, window: '1s', burst };
}
