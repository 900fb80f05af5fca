import { createLimiter, type Tier } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { newTag } from '../../support/claim.js';
import { withCluster } from '../../support/cluster.js';
import { newStoreOn } from '../../support/redis-store.js';

interface Worker {
  readonly key: string;
  readonly worker?: string;
}

/** A unit comes back in 10 minutes, so that no busy machine decides a test. */
const bucket = { algorithm: 'token-bucket', limit: 6, window: '1h', burst: 10 } as const;

describe('A line on a Cluster', () => {
  const opened = withCluster();

  /** @param options of a tier whose bucket is empty for `ada` */
  async function emptyBucket(options: object, others: readonly object[] = []) {
    await Promise.all(opened.client.nodes('master').map((node) => node.flushall()));
    const key = ({ key: of }: Worker) => of;
    const limiter = createLimiter<Worker>({
      store: newStoreOn(opened.client),
      secret: 'pepper',
      tiers: [{ name: newTag(), key, ...bucket, ...options }, ...others] as unknown as Tier<Worker>[],
    });
    await limiter.consume({ key: 'ada', worker: 'first' }, { cost: 10 });
    return limiter;
  }

  const allKeys = async () =>
    (await Promise.all(opened.client.nodes('master').map((node) => node.keys('*')))).flat().toSorted();
  const slotsOf = async (keys: readonly string[]) =>
    new Set(await Promise.all(keys.map((key) => opened.client.cluster('KEYSLOT', key))));
  /** In the time of a unit. */
  const turnOf = ({ retryAfter }: { readonly retryAfter: number }) => Math.round(retryAfter / 600_000);

  it('tells each denied request a moment of its own, and has its end in the slot of the state', async () => {
    const limiter = await emptyBucket({ line: line({ longest: '1d' }) });

    const told = [];
    for (let count = 0; count < 3; count += 1) told.push(turnOf(await limiter.consume({ key: 'ada' })));
    const batch = await Promise.all(Array.from({ length: 3 }, () => limiter.consume({ key: 'ada' })));

    expect([...told, ...batch.map(turnOf)]).toEqual([1, 2, 3, 4, 5, 6]);
    const keys = await allKeys();
    expect(keys.map((key) => key.endsWith(':line'))).toEqual([false, true]);
    expect((await slotsOf(keys)).size).toBe(1);
  });

  it('has the places of callers in the slot of the state', async () => {
    const limiter = await emptyBucket({ line: line<Worker>({ longest: '1d', by: ({ worker = '' }) => worker }) });

    const told = [];
    for (const worker of ['one', 'two', 'one']) told.push(turnOf(await limiter.consume({ key: 'ada', worker })));

    expect(told).toEqual([1, 2, 1]);
    const keys = await allKeys();
    expect(keys.filter((key) => key.includes(':line'))).toHaveLength(3);
    expect((await slotsOf(keys)).size).toBe(1);
  });

  it('knows a place that is brought back, and tells it again', async () => {
    const limiter = await emptyBucket({ line: line({ longest: '1d', keep: '2s' }) });

    const first = await limiter.consume({ key: 'ada' }, { place: true });
    const second = await limiter.consume({ key: 'ada' }, { place: true });
    const again = await limiter.consume({ key: 'ada' }, { place: first.place });

    expect([first, second, again].map(turnOf)).toEqual([1, 2, 1]);
    expect([again.allowed, again.place]).toEqual([false, first.place]);
  });

  it('admits a request at its moment that brings its place, and no other', async () => {
    // A place is worth something for a minute, in which only half of what is kept comes back.
    const minute = { limit: 60, window: '1m', burst: 130 };
    const limiter = await emptyBucket({ ...minute, line: line({ longest: '1d', keep: '1m' }) });
    await limiter.consume({ key: 'ada' }, { cost: 120 });
    const first = await limiter.consume({ key: 'ada' }, { place: true });
    await new Promise((resolve) => setTimeout(resolve, first.retryAfter + 1));

    const stranger = await limiter.consume({ key: 'ada' });
    const owner = await limiter.consume({ key: 'ada' }, { place: first.place });

    expect([stranger.allowed, owner.allowed]).toEqual([false, true]);
  });

  it('ends with its state when that is reset, and begins anew', async () => {
    const limiter = await emptyBucket({ line: line({ longest: '1d' }) });
    for (let count = 0; count < 3; count += 1) await limiter.consume({ key: 'ada' });

    await limiter.reset({ key: 'ada' });
    const after = await allKeys();
    await limiter.consume({ key: 'ada' }, { cost: 10 });

    expect([after, turnOf(await limiter.consume({ key: 'ada' }))]).toEqual([[], 1]);
  });

  it('has the places of callers beside a tier in another slot, also where the text of a request is stored', async () => {
    const other = { name: newTag(), key: () => 'everybody', limit: 1_000, window: '1h' };
    const by = ({ worker = '' }: Worker) => worker;
    const limiter = await emptyBucket({ line: line<Worker>({ longest: '1d', by }), record: by }, [other]);

    const told = [];
    for (const worker of ['one', 'two', 'one']) told.push(turnOf(await limiter.consume({ key: 'ada', worker })));

    expect(told).toEqual([1, 2, 1]);
  });

  it('is told beside a tier whose key is in another slot', async () => {
    const other = { name: newTag(), key: () => 'everybody', limit: 1_000, window: '1h' };
    const limiter = await emptyBucket({ line: line({ longest: '1d' }) }, [other]);

    const told = [];
    for (let count = 0; count < 3; count += 1) told.push(turnOf(await limiter.consume({ key: 'ada' })));

    expect(told).toEqual([1, 2, 3]);
    expect((await slotsOf(await allKeys())).size).toBe(2);
  });
});
