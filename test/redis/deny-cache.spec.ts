import { createLimiter, subscribe, type LimiterOptions, type Source } from '@sluice/core';
import { withRedisStores } from '../support/redis-store.js';
import { everyPolicy, newTag } from '../support/claim.js';
import { commandsDuring } from '../support/monitor.js';

interface Visitor {
  readonly name: string;
  readonly limit?: number;
}

const ban = {
  algorithm: 'backoff',
  charge: 'denied',
  limit: 3,
  window: '2d',
  delays: ['1d'],
} as const;

describe('the deny cache of a limiter on Redis', () => {
  const redis = withRedisStores();

  /** Limiters of two stores on one budget, like those of two processes. */
  function two(options: Partial<LimiterOptions<Visitor>> = {}) {
    const name = newTag();
    return redis.stores.map((store) =>
      createLimiter<Visitor>({
        name,
        store,
        key: (visitor: Visitor) => visitor.name,
        algorithm: 'fixed-window',
        limit: 2,
        window: '1h',
        ...options,
      } as LimiterOptions<Visitor>),
    ) as [Here, Here];
  }

  type Here = ReturnType<typeof createLimiter<Visitor>>;
  const anna = { name: 'anna' };

  async function untilDenied(limiter: Here, visitor: Visitor = anna) {
    const decisions = [await limiter.consume(visitor), await limiter.consume(visitor), await limiter.consume(visitor)];
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    return decisions;
  }

  it('answers without a command on the wire, and publishes its source', async () => {
    const [limiter] = two();
    await untilDenied(limiter);
    const sources: Source[] = [];
    const stop = subscribe('sluice:decision', ({ decision }) => sources.push(decision.source));

    const commands = await commandsDuring(redis.server, async () => {
      for (let request = 0; request < 100; request += 1) await limiter.consume(anna);
    });
    stop();

    expect(commands.filter(({ name }) => name !== 'echo')).toEqual([]);
    expect(new Set(sources)).toEqual(new Set(['deny-cache']));
  });

  it('repeats the answer of Redis, with a shorter wait', async () => {
    const [limiter] = two();
    const [, , denied] = await untilDenied(limiter);

    const decision = await limiter.consume(anna);

    expect(decision).toMatchObject({ allowed: false, reason: 'denied', source: 'deny-cache', degraded: false });
    expect(decision.binding).toMatchObject({ limit: 2, remaining: 0 });
    expect(decision.retryAfter).toBeLessThanOrEqual(denied!.retryAfter);
    expect(decision.retryAfter).toBeGreaterThan(denied!.retryAfter - 60_000);
  });

  it.each(everyPolicy(40))('gives each cost its own wait, by %s', async (_, policy) => {
    const own = { name: newTag(), store: redis.stores[0], key: (visitor: Visitor) => visitor.name };
    const limiter = createLimiter<Visitor>({ ...policy, ...own });
    await limiter.consume(anna, { cost: 30 });
    const costs = [25, 11, 40, 18, 25, 40, 11, 18];

    const answers: [wait: number, truth: number, source: Source][] = [];
    for (const cost of costs) {
      const { retryAfter, source } = await limiter.consume(anna, { cost });
      answers.push([retryAfter, (await limiter.peek(anna, { cost })).retryAfter, source]);
    }

    expect(answers.map(([, , source]) => source)).toEqual([
      ...Array<Source>(4).fill('redis'),
      ...Array<Source>(4).fill('deny-cache'),
    ]);
    // Between the two answers time has passed.
    for (const [wait, truth] of answers) expect(Math.abs(wait - truth)).toBeLessThan(10_000);
  });

  it('does not know the denials of another process', async () => {
    const [one, other] = two();
    await untilDenied(one);

    const sources = [(await other.consume(anna)).source, (await other.consume(anna)).source];

    expect(sources).toEqual(['redis', 'deny-cache']);
  });

  it('calls Redis again after a refund, a settlement or a reset', async () => {
    const [limiter] = two();
    const [first, second] = await untilDenied(limiter);

    await limiter.refund(first!);
    const afterRefund = await limiter.consume(anna);
    await limiter.consume(anna);
    await limiter.settle(second!, 0);
    const afterSettlement = await limiter.consume(anna);
    await limiter.consume(anna);
    await limiter.reset(anna);
    const afterReset = await limiter.consume(anna);

    expect([afterRefund, afterSettlement, afterReset]).toMatchObject(
      Array.from({ length: 3 }, () => ({ allowed: true, source: 'redis' })),
    );
  });

  it('sees refunds of a limiter without it', async () => {
    const [limiter] = two();
    const [first] = await untilDenied(limiter);
    const name = first!.outcomes[0]!.tier;
    const operator = createLimiter<Visitor>({
      name,
      store: redis.stores[0],
      key: (visitor) => visitor.name,
      algorithm: 'fixed-window',
      limit: 2,
      window: '1h',
      denyCache: false,
    });

    await operator.reset(anna);

    expect(await limiter.consume(anna)).toMatchObject({ allowed: true, source: 'redis' });
  });

  it('calls Redis again for a higher limit', async () => {
    const [limiter] = two({ limit: ({ limit = 2 }: Visitor) => limit });
    await untilDenied(limiter);

    const decision = await limiter.consume({ ...anna, limit: 3 });

    expect(decision).toMatchObject({ allowed: true, source: 'redis' });
  });

  it('does not answer peek and inspect', async () => {
    const [limiter] = two();
    await untilDenied(limiter);

    const peeked = await limiter.peek(anna);
    const [inspected] = await limiter.inspect(anna);

    expect(peeked).toMatchObject({ allowed: false, source: 'redis' });
    expect(inspected).toMatchObject({ outcome: { allowed: false } });
  });

  it.each([
    ['denyCache is false', { denyCache: false }],
    ['a tier counts denied requests', { charge: 'all' as const }],
  ])('does not answer when %s', async (_, options) => {
    const [limiter] = two(options);
    await untilDenied(limiter);

    expect(await limiter.consume(anna)).toMatchObject({ allowed: false, source: 'redis' });
  });

  it('answers a banned client in each process after its first request', async () => {
    const name = newTag();
    const key = (visitor: Visitor) => visitor.name;
    const [one, other] = redis.stores.map((store) =>
      createLimiter<Visitor>({
        store,
        tiers: [
          { name: `${name}-hour`, key, algorithm: 'fixed-window', limit: 2, window: '1h' },
          { ...ban, name: `${name}-ban`, key },
        ],
      }),
    ) as [Here, Here];
    const sources: Source[] = [];
    for (let request = 0; request < 8; request += 1) sources.push((await one.consume(anna)).source);

    const decisions = [await other.consume(anna), await other.consume(anna)];

    expect(sources).toEqual([...Array<Source>(6).fill('redis'), 'deny-cache', 'deny-cache']);
    expect(decisions.map(({ source }) => source)).toEqual(['redis', 'deny-cache']);
    expect(decisions).toMatchObject([{ allowed: false }, { allowed: false }]);
    expect(decisions[1]!.retryAfter).toBeGreaterThan(3_600_000);
    await one.reset(anna);
    expect(await one.consume(anna)).toMatchObject({ allowed: true, source: 'redis' });
  });
});
