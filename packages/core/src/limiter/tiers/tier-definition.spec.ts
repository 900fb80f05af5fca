import { configError } from '../../../../../test/support/config-error.js';
import { TierDefinition } from './tier-definition.js';
import type { TierDefaults } from './tier-context.js';
import type { Tier } from './tier.js';

const several = { algorithm: 'multi-window', windows: [of(5, '1s'), of(9, '1m')] };

describe('TierDefinition of a pause', () => {
  it('takes a mode, a label and what happens without the store', () => {
    const options = { mode: 'shadow', label: () => 'ada', onStoreFailure: 'allow' };

    expect(define({ algorithm: 'pause', ...options })).toMatchObject({ shadow: true, onStoreFailure: 'allow' });
  });
});

describe('TierDefinition of a ban', () => {
  const ban = { algorithm: 'backoff', charge: 'denied', limit: 5, window: '1d', delays: ['1h'] };

  it('needs no forgive, because nothing forgives a ban', () => {
    expect(define(ban).charge).toBe('denied');
  });
});

describe('TierDefinition with a limit function', () => {
  it.each<[string, object]>([
    ['a burst that refills in time at some limits only', { algorithm: 'token-bucket', window: '30d', burst: 500 }],
    ['a queue that empties in time at some limits only', { algorithm: 'leaky-bucket', window: '30d', queue: 500 }],
    ['the longest window', { window: '400d', precision: 250 }],
    ['the largest burst', { algorithm: 'gcra', window: '400d', burst: 9e7 }],
  ])('accepts %s', (_what, options) => {
    expect(() => define({ limit: () => 1_000, ...options })).not.toThrow();
  });

  it('creates one policy for each limit, for the same state', () => {
    const tier = define({ limit: () => 5, window: '1m' });

    expect(tier.policyAt(5)).toBe(tier.policyAt(5));
    expect(tier.policyAt(5)).toMatchObject({ limit: 5, window: 6e7 });
    expect(tier.policyAt(6).dimensions).toBe(tier.policyAt(5).dimensions);
  });

  it('caches a thousand policies, and creates evicted ones again', () => {
    const tier = define({ limit: () => 5, window: '1m' });
    const first = tier.policyAt(1);

    for (let limit = 2; limit <= 1_001; limit += 1) tier.policyAt(limit);

    expect(tier.policyAt(1)).not.toBe(first);
    expect(tier.policyAt(1)).toEqual(first);
    expect(tier.policyAt(1_001)).toBe(tier.policyAt(1_001));
  });
});

describe('TierDefinition.policyAt', () => {
  it.each([{ limit: 10 }, { limit: () => 10 }])('returns policies with the unit of the tier: %j', (limit) => {
    const tier = define({ ...limit, window: '1m', unit: 'tokens' });
    const policy = tier.policyAt(10);
    const localPolicy = tier.localPolicyOf(policy);

    expect([policy.unit, localPolicy.unit, define({ ...limit, window: '1m' }).policyAt(10).unit]).toEqual([
      'tokens',
      'tokens',
      undefined,
    ]);
  });

  it('returns the policy itself as the local one by default', () => {
    const tier = define({ limit: 10, window: '1m' });
    const policy = tier.policyAt(10);

    expect(tier.localPolicyOf(policy)).toBe(policy);
  });

  it.each([10, () => 10])('returns a share of the policy, for the same state (limit %p)', (limit) => {
    const tier = define({ limit, window: '1m' }, { share: 1 / 3 });
    const policy = tier.policyAt(10);
    const localPolicy = tier.localPolicyOf(policy);

    expect([policy.limit, localPolicy.limit]).toEqual([10, 4]);
    expect(localPolicy.dimensions).toBe(policy.dimensions);
  });
});

describe('TierDefinition with defaults of its limiter', () => {
  const minute = { limit: 5, window: '1m' };
  const key = () => 'by address';

  it('prefers its own onStoreFailure to that of the limiter', () => {
    const modes = [define({ ...minute, onStoreFailure: 'allow' }, { onStoreFailure: 'deny' })];
    modes.push(define(minute, { onStoreFailure: 'deny' }), define(minute));

    expect(modes.map(({ onStoreFailure }) => onStoreFailure)).toEqual(['allow', 'deny', 'local']);
  });

  it('lets a function limit requests that wait', () => {
    const options = { algorithm: 'concurrency', limit: () => 2, queue: 3, wait: '1s' };

    expect(define(options).policyAt(2)).toMatchObject({ limit: 2, queue: 3 });
  });

  it('takes the default key only if it has none', () => {
    expect(define({ ...minute, key: undefined }, { key }).key).toBe(key);
    expect(define(minute, { key }).key).not.toBe(key);
    expect(() => define({ ...minute, key: null }, { key })).toThrow(configError('KEY_INVALID', 'key'));
  });

  it.each<[string, object]>([
    ['a window', minute],
    ['a bucket', { limit: 100, window: '1m', algorithm: 'token-bucket', burst: 5 }],
    ['a queue', { limit: 100, window: '1m', algorithm: 'leaky-bucket', queue: 4 }],
    ['several windows', several],
  ])('rejects a cost of all requests that %s can never hold', (_what, options) => {
    const message = 'limiter: cost must be at most 5, the capacity of tier "hour", or no request ever fits, got 6';

    expect(() => define(options, { cost: 5 })).not.toThrow();
    expect(() => define(options, { cost: 6 })).toThrow(configError('COST_INVALID', 'cost', message));
  });

  it.each<[string, object]>([
    ['a cost of its own', { ...minute, cost: 1 }],
    ['a cost function', { ...minute, cost: () => 1 }],
    ['a limit function', { limit: () => 5, window: '1m' }],
  ])('accepts any cost of all requests with %s', (_what, options) => {
    expect(() => define(options, { cost: 6 })).not.toThrow();
  });
});

function of(limit: number, window: string) {
  return { limit, window };
}

function define(options: object, defaults: TierDefaults<unknown> = {}): TierDefinition<unknown> {
  const context = { owner: 'limiter', prefix: 'rl', secret: undefined, defaults };
  return new TierDefinition({ key: () => 'ada', ...options } as unknown as Tier<unknown>, 'hour', context);
}
