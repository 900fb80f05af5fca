import { algorithmOf } from '../algorithm.js';
import { definePolicy, type PolicyOptions } from './policy-options.js';
import { SAMPLES, UNITS } from '../../../../testing/src/suite/samples.js';

const base: PolicyOptions = { limit: 10, window: '1m' };
const strict: PolicyOptions = { ...base, strict: true };
const fixed: PolicyOptions = { ...base, algorithm: 'fixed-window' };
const bucket: PolicyOptions = { ...base, algorithm: 'token-bucket' };

describe('definePolicy', () => {
  it('returns a frozen policy', () => {
    expect(Object.isFrozen(definePolicy(base))).toBe(true);
  });

  it.each(Object.entries(SAMPLES))('gives a policy its algorithm, which is a name in JSON: %s', (_name, options) => {
    const policy = definePolicy(options);
    const { algorithm = 'sliding-window' } = options;

    expect(algorithmOf(policy).remaining(algorithmOf(policy).read(undefined, 0, policy), 0, policy)).toBe(UNITS);
    expect(JSON.parse(JSON.stringify(policy))).toMatchObject({ algorithm, dimensions: policy.dimensions });
  });

  it.each([
    ['limit', true, base, { limit: 1_000_000, window: '60s' }],
    ['precision', false, base, { ...base, precision: 2 }],
    ['strictness', false, { ...base, precision: 50 }, strict],
    ['anchor', false, fixed, { ...fixed, anchor: 'clock' }],
    ['rate and burst', true, bucket, { algorithm: 'gcra', limit: 20, window: '1m', burst: 5 }],
  ] as [string, boolean, PolicyOptions, PolicyOptions][])(
    'has equal dimensions for policies that can share a key: another %s, %p',
    (_name, same, one, other) => {
      expect(definePolicy(one).dimensions === definePolicy(other).dimensions).toBe(same);
    },
  );
});
