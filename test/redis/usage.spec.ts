import { createLimiter, memoryStore, UsageError, type Limiter, type Store, type Tier } from '@sluice/core';
import { everyPolicy } from '../support/claim.js';
import { FailingStore } from '../support/failing-store.js';
import { withRedisStore } from '../support/redis-store.js';
import { notices, usage, usageOf } from '@sluice/quotas';
import { usageKey } from '../../packages/core/src/stores/usage-key.js';

const HOUR = 3_600_000;

let names = 0;

function counting(store: Store, ...options: object[]): { limiter: Limiter<string>; tiers: readonly string[] } {
  names += 1;
  const tiers = options.map((each, index) => ({ key: (user: string) => user, name: `t${names}-${index}`, ...each }));
  const limiter = createLimiter<string>({ store, tiers: tiers as unknown as Tier<string>[] });
  return { limiter, tiers: tiers.map(({ name }) => name) };
}

const rates = everyPolicy(50);
const [, plain] = rates[0]!;

describe.each(['memory', 'redis'])('a limiter with usage, in %s', (place) => {
  const redis = withRedisStore();
  const open = () => (place === 'memory' ? memoryStore() : redis.store);
  const unitsOf = async (limiter: Limiter<string>, user = 'ada') =>
    (await usageOf(limiter).read(user)).map(({ units }) => units);

  it.each(rates)('counts what it charges by %s', async (_name, policy) => {
    const { limiter } = counting(open(), { ...policy, usage: usage() });

    await Promise.all(Array.from({ length: 20 }, () => limiter.consume('ada')));
    await limiter.consume('ada', { cost: 7 });
    await limiter.consume('ada', { cost: 40 });
    await limiter.consume('bob', { cost: 3 });

    expect([await unitsOf(limiter), await unitsOf(limiter, 'bob')]).toEqual([[27], [3]]);
  });

  it('counts what refunds, settlements and extensions leave', async () => {
    const { limiter, tiers } = counting(open(), { ...plain, usage: usage() });

    await limiter.refund(await limiter.consume('ada', { cost: 9 }));
    await limiter.settle(await limiter.consume('ada', { cost: 9 }), 2);
    await limiter.settle(await limiter.consume('ada', { cost: 3 }), 5);
    const extended = await limiter.consume('ada');
    await limiter.extend(extended, { [tiers[0]!]: 10 });

    expect(await unitsOf(limiter)).toEqual([2 + 5 + 11]);
  });

  it('counts what a settlement leaves when time has given back the units', async () => {
    const { limiter } = counting(open(), { limit: 1_000, window: '10ms', usage: usage() });
    const decision = await limiter.consume('ada', { cost: 100 });
    await new Promise((resolve) => setTimeout(resolve, 25));

    await limiter.settle(decision, 30);

    expect(await unitsOf(limiter)).toEqual([30]);
  });

  it('counts each tier that has usage, and none of a request that another one denies', async () => {
    const { limiter, tiers } = counting(
      open(),
      { ...plain, usage: usage() },
      { limit: 3, window: '1h' },
      { algorithm: 'fixed-window', limit: 30, window: '1h', notices: notices(0.1), usage: usage() },
    );

    for (let request = 0; request < 5; request += 1) await limiter.consume('ada');

    const counted = await usageOf(limiter).read('ada');
    expect(new Map(counted.map(({ tier, units }) => [tier, units]))).toEqual(
      new Map([
        [tiers[0], 3],
        [tiers[2], 3],
      ]),
    );
    expect(await usageOf(limiter).read('ada', { tiers: [tiers[2]!] })).toHaveLength(1);
  });

  it('tells the hours, and those of a time alone', async () => {
    const { limiter } = counting(open(), { ...plain, usage: usage() });
    await limiter.consume('ada', { cost: 4 });

    const { hours } = (await usageOf(limiter).read('ada'))[0]!;
    const later = await usageOf(limiter).read('ada', { from: Date.now() + HOUR });
    const before = await usageOf(limiter).readFor('ada', { to: new Date(Date.now() - HOUR) });

    expect(hours).toEqual([{ from: hours[0]!.from, units: 4 }]);
    expect(hours[0]!.from % HOUR).toBe(0);
    expect(Math.abs(hours[0]!.from + HOUR / 2 - Date.now())).toBeLessThanOrEqual(HOUR / 2 + 60_000);
    expect([later, before].flat().map(({ units }) => units)).toEqual([0, 0]);
  });

  it('keeps usage when a subject is reset', async () => {
    const { limiter } = counting(open(), { ...plain, usage: usage() });
    await limiter.consume('ada', { cost: 4 });

    await limiter.reset('ada');

    expect(await unitsOf(limiter)).toEqual([4]);
  });

  it('tells a subject nothing whose plan counts no usage', async () => {
    const [free, paid] = [
      { ...plain, name: 'free' },
      { ...plain, name: 'paid', usage: usage() },
    ].map((tier) => [{ key: (user: string) => user, ...tier }]);
    const limiter = createLimiter<string>({
      store: open(),
      tiers: (user) => (user === 'customer' ? paid! : free!),
      plans: [free!, paid!],
    });

    expect(await usageOf(limiter).read('visitor')).toEqual([]);
    expect(await usageOf(limiter).read('visitor', { tiers: ['paid'] })).toEqual([]);
    expect(await usageOf(limiter).read('customer', { tiers: ['paid'] })).toHaveLength(1);
    expect(await usageOf(limiter).readFor('visitor', { tiers: ['free'] })).toEqual([]);
    await expect(usageOf(limiter).read('visitor', { tiers: ['payed'] })).rejects.toThrow(UsageError);
  });

  it('refuses a time that is text', async () => {
    const { limiter } = counting(open(), { ...plain, usage: usage() });

    const reading = usageOf(limiter).read('ada', { from: '2027-01-01' as never });

    await expect(reading).rejects.toThrow('usage: from must be a Date or milliseconds since 1970, got "2027-01-01"');
  });
});

describe('a tier with usage', () => {
  const redis = withRedisStore();

  it('is refused on a store that counts none', () => {
    const create = () => counting(new FailingStore(), { ...plain, usage: usage() });

    expect(create).toThrow(/usage needs memoryStore\(\) or redisStore\(…\)/);
  });

  it.each([
    ['concurrency', { algorithm: 'concurrency', limit: 1 }],
    ['backoff', { algorithm: 'backoff', limit: 1, window: '1h', delays: ['1s'], forgive: 'all' }],
    ['pause', { algorithm: 'pause' }],
  ])('is refused with %s', (_name, options) => {
    expect(() => counting(memoryStore(), { ...options, usage: usage() })).toThrow(/usage cannot be combined with/);
  });

  it('counts under its owner and name, in the slot of its count, for 62 days', async () => {
    const { limiter } = counting(redis.store, { ...plain, usage: usage() });
    await limiter.consume('ada', { cost: 4 });
    const { key } = (await limiter.inspect('ada'))[0]!;

    const hour = Math.floor(Date.now() / HOUR);
    const fields = await redis.client.hgetall(usageKey(key));
    const ends = await redis.client.pexpiretime(usageKey(key));

    expect(Object.values(fields)).toEqual(['4']);
    expect(Math.abs(Number(Object.keys(fields)[0]) - hour)).toBeLessThanOrEqual(1);
    expect(ends - Date.now()).toBeGreaterThan(62 * 24 * HOUR);
  });

  it('forgets hours that are older, and no others', async () => {
    const { limiter } = counting(redis.store, { ...plain, usage: usage() });
    const { key } = (await limiter.inspect('ada'))[0]!;
    const hour = Math.floor(Date.now() / HOUR);
    const old = Object.fromEntries(Array.from({ length: 1_530 }, (_, age) => [String(hour - 1 - age), '1']));
    await redis.client.hset(usageKey(key), old);

    await limiter.consume('ada');

    expect(await redis.client.hlen(usageKey(key))).toBe(62 * 24);
    expect(await unitsOf(limiter)).toBe(62 * 24);
  });

  const unitsOf = async (limiter: Limiter<string>) => (await usageOf(limiter).read('ada'))[0]!.units;

  it.each(rates)('counts nothing for the tier beside one of %s that has usage', async (_name, policy) => {
    const { limiter, tiers } = counting(redis.store, { ...policy, usage: usage() }, { ...plain, mode: 'shadow' });
    await Promise.all([limiter.consume('ada'), limiter.consume('bob', { cost: 3 }), limiter.consume('ada')]);

    const counted = await redis.client.keys('*:used');
    expect(tiers.map((tier) => counted.filter((key) => key.includes(`:${tier}:`)).length)).toEqual([2, 0]);
  });

  it('writes nothing more where no tier has usage', async () => {
    const { limiter } = counting(redis.store, plain);
    await limiter.consume('ada');
    const { key } = (await limiter.inspect('ada'))[0]!;

    expect(await redis.client.exists(usageKey(key))).toBe(0);
  });

  it('adds to what version 0.2.0 has counted under the same shape', async () => {
    const { limiter } = counting(redis.store, { ...plain, usage: usage() });
    const { key } = (await limiter.inspect('ada'))[0]!;
    const hour = String(Math.floor(Date.now() / HOUR));
    await redis.client.hset(`${key}:usage`, { [hour]: '4', [`x${hour}`]: '3' });

    await limiter.consume('ada', { cost: 5 });

    expect(await unitsOf(limiter)).toBe(4 + 3 + 5);
  });

  it('keeps the last label with the usage, and not with the count', async () => {
    const label = (user: string) => (user === 'ada' ? labels.shift() : undefined);
    const labels = ['Ada & Co', undefined, 'Ada Ltd'];
    const { limiter } = counting(redis.store, { ...plain, usage: usage(), label });
    await Promise.all(['ada', 'bob', 'ada', 'ada', 'bob'].map((user) => limiter.consume(user)));

    const stored = await Promise.all(
      ['ada', 'bob'].map(async (user) => {
        const { key } = (await limiter.inspect(user))[0]!;
        return [await redis.client.hget(usageKey(key), 'label'), await redis.client.type(key)];
      }),
    );
    expect(stored).toEqual([
      ['Ada Ltd', 'string'],
      [null, 'string'],
    ]);
  });

  it('is refused with a lease', () => {
    const create = () => counting(redis.store, { ...plain, usage: usage(), lease: { units: 5, duration: '1s' } });

    expect(create).toThrow(/lease cannot be combined with usage: .* a crash would leave them on the bill/);
  });
});

describe('a limiter with usage, on a Redis that is full', () => {
  const redis = withRedisStore();

  it('gives no units back that stay in its usage', async () => {
    const { limiter } = counting(redis.store, { ...plain, usage: usage() });
    const decision = await limiter.consume('ada', { cost: 5 });

    await redis.client.config('SET', 'maxmemory', '1');
    const given = await limiter.refund(decision);
    await redis.client.config('SET', 'maxmemory', '0');

    const [{ units } = { units: 0 }] = await usageOf(limiter).read('ada');
    const { limit, remaining } = (await limiter.peek('ada')).outcomes[0]!;
    expect({ given, units, used: limit - remaining }).toEqual({ given: 0, units: 5, used: 5 });
  });
});
