import { claim as claimOf } from '../testing/internal/claim.js';
import { RemoteStore, settled } from '../testing/internal/remote-store.js';
import { createLimiter } from '../limiter/limiter.js';
import { StoreError } from '../model/errors.js';
import { compose } from './compose.js';
import { memoryStore } from './memory/memory-store.js';

const policy = { algorithm: 'fixed-window', limit: 6, window: '1h' } as const;

/** The store's clock is that of the process. */
function clockOf(store: RemoteStore): jest.SpyInstance {
  return jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
}

describe('What is put before a store', () => {
  it('is the same for all limiters on it', () => {
    const store = new RemoteStore();

    expect(compose(store)).toBe(compose(store));
  });

  it('is nothing before memory', async () => {
    const store = memoryStore();
    const { cached, uncached, release } = compose(store);

    expect([cached, uncached]).toEqual([store, store]);
    await expect(release()).resolves.toBeUndefined();
    store.close();
  });

  it('is a deny cache, for those who want it', async () => {
    const store = new RemoteStore();
    const asked = clockOf(store);
    const { cached, uncached } = compose(store);
    const claim = claimOf({ policy, cost: 4 });
    await cached.consume([claim]);
    await cached.consume([claim]);

    const sources = [(await cached.consume([claim])).source, (await uncached.consume([claim])).source];
    asked.mockRestore();

    expect(sources).toEqual(['deny-cache', 'redis']);
  });

  it('denies nobody for whom units are in hand, or have gone back', async () => {
    const store = new RemoteStore();
    const asked = clockOf(store);
    const { cached, release } = compose(store);
    const claim = claimOf({ policy, lease: { units: 4, duration: 1_000 } });
    await cached.consume([claim]);
    const way = store.delay();
    // Its own unit, and those that are fetched with it, are all that is left for a while.
    const second = cached.consume([claim]);
    await settled();
    store.way = Promise.resolve();
    const rest = await store.consume([{ ...claim, cost: 3 }]);
    // Of several tiers nobody waits for what is on its way.
    const denied = await cached.consume([claim, claimOf({ tier: 'other' })]);
    await way.arrive();
    await second;
    const served = await cached.consume([claim]);
    const again = await cached.consume([claim]);
    await store.refund(rest.receipts);
    await release();
    const after = await cached.consume([claim]);
    asked.mockRestore();

    expect([denied, served, again, after].map(({ outcomes, source }) => [outcomes[0]!.allowed, source])).toEqual([
      [false, 'redis'],
      [true, 'lease'],
      [false, 'redis'],
      [true, 'redis'],
    ]);
  });

  it('decides without a store that fails, and charges nothing here for a lease', async () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = new RemoteStore();
    const { cached } = compose(store);
    const claim = claimOf({ policy, lease: { units: 4, duration: 1_000 } });
    store.failure = new StoreError('STORE_UNAVAILABLE', 'no reply');

    const answers = [];
    for (let request = 0; request < 7; request += 1) answers.push(await cached.consume([claim]));
    emitWarning.mockRestore();

    expect(answers.map(({ source, outcomes }) => [source, outcomes[0]!.remaining])).toEqual(
      [5, 4, 3, 2, 1, 0, 0].map((left) => ['local', left]),
    );
  });

  it('decides without the store for those who wait for units of a lease that it could not send', async () => {
    const emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = new RemoteStore();
    const limiter = createLimiter({
      ...policy,
      name: 'hot',
      store,
      key: () => 'all',
      lease: { units: 4, duration: '1m' },
    });
    await limiter.consume({}, { cost: 2 });
    const way = store.delay();
    const decisions = [2, 1, 1].map((cost) => limiter.consume({}, { cost }));
    const asked = store.groups.length;
    await way.lose(new StoreError('STORE_UNAVAILABLE', 'no reply'));

    const [own, ...waited] = await Promise.all(decisions);
    emitWarning.mockRestore();
    await limiter.close();

    // The first of them has asked for itself, and fetched 2 units.
    expect(asked).toBe(3);
    expect(store.groups).toHaveLength(asked);
    expect([own, ...waited]).toMatchObject(
      [4, 3, 2].map((remaining) => ({ source: 'local', degraded: true, allowed: true, outcomes: [{ remaining }] })),
    );
  });
});
