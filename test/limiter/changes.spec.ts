import { createLimiter, type Outcome, type Tier } from '@sluice/core';

import { newStoreOn, withRedis } from '../support/redis-store.js';
import { newCaller, type Caller } from './every-store.js';

describe('a tier that a new version of a program changes', () => {
  const redis = withRedis();

  /** The outcome of one unit by the new version, after four units by the old one. */
  async function afterChange(before: object, after: object): Promise<Outcome> {
    const caller = newCaller();
    const [old, renewed] = [before, after].map((policy) => {
      const tier = {
        name: 'tier',
        key: ({ user }: Caller) => user,
        window: '1h',
        ...policy,
      } as unknown as Tier<Caller>;
      // Each version has a store of its own.
      return createLimiter({ store: newStoreOn(redis.client), tiers: [tier] });
    });
    await old!.consume(caller, { cost: 4 });
    return (await renewed!.consume(caller)).outcomes[0]!;
  }

  const bucket = { algorithm: 'token-bucket', limit: 5, window: '1h' };
  const queue = { algorithm: 'leaky-bucket', limit: 5, window: '1h' };

  it.each<[string, object, object, Partial<Outcome>]>([
    ['higher limit', { limit: 5 }, { limit: 50 }, { allowed: true, limit: 50, remaining: 45 }],
    ['lower limit', { limit: 5 }, { limit: 3 }, { allowed: false, limit: 3, remaining: 0 }],
    ['larger burst', { ...bucket, burst: 5 }, { ...bucket, burst: 50 }, { allowed: true, remaining: 45 }],
    ['smaller burst', { ...bucket, burst: 5 }, { ...bucket, burst: 3 }, { allowed: false, remaining: 0 }],
    ['longer queue', { ...queue, queue: 4 }, { ...queue, queue: 49 }, { allowed: true, remaining: 45 }],
    ['shorter queue', { ...queue, queue: 4 }, { ...queue, queue: 2 }, { allowed: false, remaining: 0 }],
  ])('applies a %s to the existing state', async (_what, before, after, expected) => {
    expect(await afterChange(before, after)).toMatchObject(expected);
  });

  it('waits for one refill at most after a smaller burst', async () => {
    const { retryAfter } = await afterChange({ ...bucket, limit: 1, burst: 100 }, { ...bucket, limit: 1, burst: 2 });

    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(2 * 3_600_000);
  });

  it.each<[string, object, object]>([
    ['algorithm', { limit: 5 }, { algorithm: 'sliding-window-log', limit: 5 }],
    ['window', { limit: 5 }, { limit: 5, window: '2h' }],
    ['precision', { limit: 5 }, { limit: 5, precision: 60 }],
    ['strictness', { limit: 5, precision: 60 }, { limit: 5, precision: 60, strict: true }],
    ['anchor', { algorithm: 'fixed-window', limit: 5 }, { algorithm: 'fixed-window', limit: 5, anchor: 'clock' }],
  ])('starts a new count with another %s', async (_what, before, after) => {
    expect(await afterChange(before, after)).toMatchObject({ allowed: true, remaining: 4 });
  });
});
