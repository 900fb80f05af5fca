import { createLimiter, type Tier } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { withRedisStore } from '../support/redis-store.js';
import { newTag } from '../support/claim.js';

interface Worker {
  readonly key: string;
  readonly worker?: string;
}

/** A unit comes back in 10 minutes, so that no busy machine decides a test. */
const bucket = { algorithm: 'token-bucket', limit: 6, window: '1h', burst: 10 } as const;
/** In the time of a unit. */
const turnOf = ({ retryAfter }: { readonly retryAfter: number }) => Math.round(retryAfter / 600_000);

describe('A line in Redis', () => {
  const redis = withRedisStore();
  const limiterOf = (options: object, others: readonly object[] = []) =>
    createLimiter<Worker>({
      store: redis.store,
      secret: 'pepper',
      tiers: [{ name: newTag(), key: ({ key }: Worker) => key, ...bucket, ...options }, ...others] as Tier<Worker>[],
    });
  const lineKeys = () => redis.client.keys('*:line*');

  it('tells each denied request a moment of its own, in one call each, past the deny cache', async () => {
    const limiter = limiterOf({ line: line({ longest: '1d' }) });
    await limiter.consume({ key: 'ada' }, { cost: 10 });
    const before = await calls();

    const denied = [];
    for (let count = 0; count < 5; count += 1) denied.push(await limiter.consume({ key: 'ada' }));

    expect((await calls()) - before).toBe(5);
    const told = denied.map(turnOf);
    expect(told).toEqual([1, 2, 3, 4, 5]);
    expect(denied.map(({ source }) => source)).toEqual(Array.from({ length: 5 }, () => 'redis'));
  });

  it('tells the requests of one batch one after the other', async () => {
    const limiter = limiterOf({ line: line({ longest: '1d' }) });
    await limiter.consume({ key: 'ada' }, { cost: 7 });

    const all = await Promise.all(Array.from({ length: 8 }, () => limiter.consume({ key: 'ada' })));

    expect(all.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false, false, false, false]);
    expect(all.slice(3).map(turnOf)).toEqual([1, 2, 3, 4, 5]);
  });

  it('has its end under a key of its own that ends with it, which a reset deletes', async () => {
    await redis.client.flushall();
    const limiter = limiterOf({ line: line({ longest: '1d' }) });
    await limiter.consume({ key: 'ada' }, { cost: 10 });
    const before = await lineKeys();
    await limiter.consume({ key: 'ada' });

    const [key] = await lineKeys();
    const [end, expires] = [Number(await redis.client.get(key!)), await redis.client.pexpiretime(key!)];
    await limiter.reset({ key: 'ada' });

    expect([before, expires]).toEqual([[], Math.ceil(end / 1e3)]);
    expect(await redis.client.keys('*')).toEqual([]);
  });

  it('admits by places that requests bring back, and keeps them from others', async () => {
    // A busy machine has a minute for what must come in time, and what must come early has as long.
    const limiter = limiterOf({ line: line({ longest: '1d', keep: '1m' }), limit: 600, window: '1m', burst: 1_201 });
    // In one call: a unit comes back each tenth of a second.
    const [, first] = await Promise.all([
      limiter.consume({ key: 'ada' }, { cost: 1_201 }),
      limiter.consume({ key: 'ada' }, { place: true }),
    ]);
    const later = await limiter.consume({ key: 'ada' }, { cost: 600, place: true });
    const early = await limiter.consume({ key: 'ada' }, { cost: 600, place: later.place });
    await new Promise((resolve) => setTimeout(resolve, first.retryAfter));

    const [stranger, owner] = [
      await limiter.consume({ key: 'ada' }),
      await limiter.consume({ key: 'ada' }, { place: first.place }),
    ];

    expect([first.allowed, later.allowed, early.allowed, early.place === later.place]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([stranger.allowed, owner.allowed]).toEqual([false, true]);
  });

  it('has the places of callers that are told apart', async () => {
    const limiter = limiterOf({ line: line<Worker>({ longest: '1d', by: ({ worker = '' }) => worker }) });
    await limiter.consume({ key: 'ada', worker: 'zero' }, { cost: 10 });

    const told = await Promise.all(
      ['one', 'two', 'one', 'two', 'three'].map((worker) => limiter.consume({ key: 'ada', worker })),
    );

    expect(told.map(turnOf)).toEqual([1, 2, 1, 2, 3]);
  });

  it('counts beside other tiers and with usage, whatever else a request is denied by', async () => {
    const other = { name: newTag(), key: ({ key }: Worker) => key, limit: 12, window: '2d' };
    const limiter = limiterOf({ line: line({ longest: '1d' }) }, [other]);
    await limiter.consume({ key: 'ada' }, { cost: 10 });

    const short = [await limiter.consume({ key: 'ada' }), await limiter.consume({ key: 'ada' })];
    const long = await limiter.consume({ key: 'ada' }, { cost: 3 });

    expect(short.map(turnOf)).toEqual([1, 2]);
    expect(long.retryAfter).toBeGreaterThan(3_600_000);
    expect(turnOf(await limiter.consume({ key: 'ada' }))).toBe(3);
  });

  async function calls(): Promise<number> {
    const stats = await redis.client.info('commandstats');
    return ['evalsha', 'eval'].reduce(
      (sum, name) => sum + Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
      0,
    );
  }
});
