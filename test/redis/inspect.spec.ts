import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, limitersOf, type Inspection, type Limiter, type PolicyOptions, type Store } from '@sluice/core';
import { claim, everyPolicy, newTag } from '../support/claim.js';
import { RedisTwin } from '../properties/twin/redis-twin.js';
import { withCluster } from '../support/cluster.js';
import { newStoreOn, withRedis } from '../support/redis-store.js';

/** Up to a limit of 64 a sliding window stores the time of each unit, and above counts. */
const policies = [7, 100].flatMap((limit) =>
  everyPolicy(limit).map(([name, policy]) => [`${name}, limit ${limit}`, policy] as const),
);

/** Spends units, some of them at the same time, until a request is denied. */
async function exhaust(limiter: Limiter<object>, cost: number): Promise<void> {
  for (let spent = 1; ; spent += 1) {
    const { outcomes } = await limiter.consume({}, { cost });
    if (!outcomes[0]!.allowed) return;
    if (spent % 20 === 2) await delay(2);
  }
}

async function inspect(store: Store, user: string, cost: number): Promise<Inspection> {
  const [view] = limitersOf(store) as [ReturnType<typeof limitersOf>[number]];
  const [inspection] = (await view.of(user).inspect({ cost })) as [Inspection];
  return inspection;
}

describe('inspect on Redis', () => {
  const redis = withRedis();

  /** Whether the Lua twin admits a request at a millisecond, by the state in Redis. */
  async function isAdmitted({ key, policy }: Inspection, cost: number, milliseconds: number): Promise<boolean> {
    const request = { claims: [{ ...claim({ policy, cost }), key }], peek: true };
    const { result } = await new RedisTwin(redis.client).consume([request], milliseconds * 1e3);
    return result[0]![0]!.retryAfter === 0;
  }

  async function denied(policy: PolicyOptions, cost: number): Promise<Inspection> {
    const store = newStoreOn(redis.client);
    const user = newTag();
    const limiter = createLimiter<object>({ store, name: user, key: () => user, ...policy });
    await exhaust(limiter, cost);
    const inspection = await inspect(store, user, cost);
    await limiter.close();
    return inspection;
  }

  it.each(policies)('names the first millisecond at which a request fits: %s', async (_name, policy) => {
    for (const cost of [1, 3]) {
      const inspection = await denied(policy, cost);
      const { fitsAt, readAt, outcome } = inspection;
      // In this order, because the twin deletes what has expired.
      const before = await isAdmitted(inspection, cost, fitsAt - 1);
      const then = await isAdmitted(inspection, cost, fitsAt);

      expect([before, then]).toEqual([false, true]);
      expect(Math.abs(readAt + outcome.retryAfter - fitsAt)).toBeLessThanOrEqual(1);
    }
  });

  it('reads the clock of Redis', async () => {
    const [seconds, microseconds] = (await redis.client.time()) as unknown as [string, string];
    const { readAt } = await denied({ limit: 1, window: '1h' }, 1);

    expect(readAt - (Number(seconds) * 1e3 + Number(microseconds) / 1e3)).toBeGreaterThan(0);
    expect(readAt).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('changes no key', async () => {
    const { key, isStored } = await denied({ limit: 9, window: '1h' }, 1);
    const before = [await redis.client.dumpBuffer(key), await redis.client.pexpiretime(key)];
    const store = newStoreOn(redis.client);
    createLimiter({ store, name: 'other', key: () => 'ada', limit: 9, window: '1h' });
    const unknown = await inspect(store, 'ada', 1);

    expect([isStored, unknown.isStored, unknown.outcome.remaining]).toEqual([true, false, 8 + 1]);
    expect([await redis.client.dumpBuffer(key), await redis.client.pexpiretime(key)]).toEqual(before);
    expect(await redis.client.exists(unknown.key)).toBe(0);
  });

  it('rejects for a key with data of another program', async () => {
    const { key } = await denied({ algorithm: 'fixed-window', limit: 1, window: '1h' }, 1);
    const store = newStoreOn(redis.client);
    const limiter = createLimiter({
      store,
      name: key.split(':')[2]!,
      key: () => key.split(':')[2]!,
      limit: 1,
      window: '1h',
      algorithm: 'fixed-window',
    });
    await redis.client.set(key, 'text');

    await expect(inspect(store, key.split(':')[2]!, 1)).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });
    await limiter.close();
  });
});

describe('inspect on a Cluster', () => {
  const redis = withCluster();

  it('reads tiers of several slots', async () => {
    const limiter = createLimiter<object>({
      store: newStoreOn(redis.client),
      tiers: ['ada', 'bob', 'eve', 'joe'].map((key) => ({ name: newTag(), key: () => key, limit: 9, window: '1h' })),
    });
    await limiter.consume({}, { cost: 2 });
    const inspected = await limiter.inspect({}, { cost: 8 });

    expect(inspected.map(({ outcome: { allowed, remaining } }) => [allowed, remaining])).toEqual(
      Array.from({ length: 4 }, () => [false, 7]),
    );
  });

  it('reads the keys of each limiter in their slot', async () => {
    const store = newStoreOn(redis.client);
    const limiter = createLimiter({
      store,
      tiers: ['a', 'b', 'c'].map(
        (secretive) => ({ name: secretive, key: () => 'ada', limit: 1, window: '1h' }) as const,
      ),
      partition: () => 'team',
    });
    const other = createLimiter({ store, name: 'd', key: () => 'ada', limit: 1, window: '1h', secret: 'other' });
    await limiter.consume({});
    await other.consume({});
    const [first, second] = limitersOf(store);
    const explained = [
      ...(await first!.of('ada', { partition: 'team' }).inspect()),
      ...(await second!.of('ada').inspect()),
    ];

    expect(explained.map(({ outcome: { tier, allowed } }) => [tier, allowed])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', false],
    ]);
    expect([first!.isPartitioned, second!.isPartitioned]).toEqual([true, false]);
  });
});
