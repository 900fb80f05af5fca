import { createLimiter, type Duration, type Limiter } from '@sluice/core';
import { withRedisStores } from '../support/redis-store.js';
import { newTag } from '../support/claim.js';
import { commandsDuring } from '../support/monitor.js';

describe('a lease of a limiter on Redis', () => {
  const redis = withRedisStores();

  /** Limiters of two stores, like those of two processes. */
  function two(limit: number, duration: Duration) {
    const name = newTag();
    return redis.stores.map((store) =>
      createLimiter({
        name,
        store,
        key: () => 'everybody',
        algorithm: 'fixed-window',
        limit,
        window: '1h',
        lease: { units: 50, duration },
      }),
    ) as [Limiter<unknown>, Limiter<unknown>];
  }

  async function admitted(limiters: readonly Limiter<unknown>[], times: number): Promise<number> {
    let count = 0;
    for (let time = 0; time < times; time += 1) {
      const decisions = await Promise.all(limiters.map((limiter) => limiter.consume({})));
      count += decisions.filter(({ allowed }) => allowed).length;
    }
    return count;
  }

  const used = async (limiter: Limiter<unknown>) => {
    const [{ outcome }] = (await limiter.inspect({})) as [Awaited<ReturnType<typeof limiter.inspect>>[number]];
    return outcome.limit - outcome.remaining;
  };

  it('sends far fewer commands than decisions', async () => {
    const [limiter] = two(1_000_000, '1m');

    const commands = await commandsDuring(redis.server, () => admitted([limiter], 2_000));
    await limiter.close();

    const calls = commands.filter(({ name }) => name === 'evalsha').length;
    // About 128 requests make the key hot: it counts one in eight, at random.
    expect(calls).toBeGreaterThan(50 + 10);
    expect(calls).toBeLessThan(256 + 200);
  });

  it('admits at most the limit in two processes, and its last unit', async () => {
    const limiters = two(500, '1m');

    const before = await admitted(limiters, 400);
    await Promise.all(limiters.map((limiter) => limiter.close()));
    const after = await admitted(limiters, 100);

    expect(before).toBeLessThanOrEqual(500);
    expect(before).toBeGreaterThanOrEqual(400);
    expect(before + after).toBeLessThanOrEqual(500);
  });

  it('refunds unspent units on close', async () => {
    const limiters = two(1_000_000, '1m');
    const count = await admitted(limiters, 400);
    const before = await used(limiters[0]);

    await Promise.all(limiters.map((limiter) => limiter.close()));

    expect(before).toBeGreaterThan(count);
    expect(before).toBeLessThanOrEqual(count + 2 * 50);
    expect(await used(limiters[0])).toBe(count);
  });

  it('refunds unspent units after its duration', async () => {
    const [limiter] = two(1_000_000, '300ms');
    const count = await admitted([limiter], 400);
    const before = await used(limiter);

    let after = before;
    while (after > count) after = await used(limiter);

    expect(before).toBeGreaterThan(count);
    expect(after).toBe(count);
  });

  it('allows refund and settle of a request that it served', async () => {
    const [limiter] = two(1_000, '1m');
    await admitted([limiter], 100);
    let decision = await limiter.consume({});
    while (decision.source !== 'lease') decision = await limiter.consume({});
    let other = await limiter.consume({});
    while (other.source !== 'lease') other = await limiter.consume({});
    const before = await used(limiter);

    const given = await limiter.refund(decision);
    const again = await limiter.refund(decision);
    const settled = await limiter.settle(other, 4);

    expect([given, again, settled]).toEqual([1, 0, 3]);
    expect(await used(limiter)).toBe(before - 1 + 3);
  });
});
