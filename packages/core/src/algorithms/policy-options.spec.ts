import { samePolicy } from '../model/policy.js';
import { definePolicy } from './policy-options.js';

describe('definePolicy', () => {
  it('makes numbers that nobody can change', () => {
    const policy = definePolicy({ limit: 10, window: '1m' });

    expect(Object.isFrozen(policy)).toBe(true);
  });

  it('reads a window in milliseconds and as text alike', () => {
    const policies = (['90s', '1.5m', '90000ms', 90_000] as const).map((window) => definePolicy({ limit: 10, window }));

    expect(policies.every((each) => samePolicy(each, policies[0]!))).toBe(true);
  });

  it('tells policies apart that decide differently', () => {
    const policy = definePolicy({ limit: 10, window: '1m' });

    expect(samePolicy(policy, definePolicy({ limit: 11, window: '1m' }))).toBe(false);
    expect(samePolicy(policy, definePolicy({ limit: 10, window: '2m' }))).toBe(false);
    expect(samePolicy(policy, definePolicy({ limit: 10, window: '1m', precision: 2 }))).toBe(false);
  });

  it('gives equal dimensions to policies that can share a key', () => {
    const dimensions = (options: Parameters<typeof definePolicy>[0]) => definePolicy(options).dimensions;

    expect(dimensions({ limit: 10, window: '1m' })).toBe(dimensions({ limit: 1_000_000, window: '60s' }));
    expect(dimensions({ limit: 10, window: '1m' })).not.toBe(dimensions({ limit: 10, window: '1m', precision: 2 }));
    expect(dimensions({ limit: 10, window: '1m', precision: 50 })).not.toBe(
      dimensions({ limit: 10, window: '1m', strict: true }),
    );
    expect(dimensions({ algorithm: 'fixed-window', limit: 10, window: '1m' })).not.toBe(
      dimensions({ algorithm: 'fixed-window', limit: 10, window: '1m', anchor: 'clock' }),
    );
    expect(dimensions({ algorithm: 'token-bucket', limit: 10, window: '1m' })).toBe(
      dimensions({ algorithm: 'gcra', limit: 20, window: '1m', burst: 5 }),
    );
  });

  it('refuses an algorithm that there is not, and tells which there are', () => {
    const options = { algorithm: 'lottery', limit: 10, window: '1m' } as never;

    expect(() => definePolicy(options, 'tier "api"')).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', option: 'algorithm', value: 'lottery' }),
    );
    expect(() => definePolicy(options, 'tier "api"')).toThrow(
      /^tier "api": algorithm must be one of "fixed-window".+"gcra", got "lottery"$/,
    );
  });
});
