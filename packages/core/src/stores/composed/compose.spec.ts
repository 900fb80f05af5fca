import { createLimiter } from '../../limiter/limiter.js';
import { StoreError } from '../../model/errors.js';
import { claim as claimOf } from '../../../../../test/support/claim.js';
import { RemoteStore, settled } from '../../../../../test/support/remote-store.js';
import { layersOf } from '../between-processes/shared-layers.js';
import type { LayerNeeds } from '../layer.js';
import { compose } from './compose.js';
import { HotKeys } from '../with-lease/hot-keys.js';
import { memoryStore, type DecidingStore } from '../memory/memory-store.js';

const policy = { algorithm: 'fixed-window', limit: 6, window: '1h' } as const;
const needs: LayerNeeds = { isCached: true, isLeased: false, mayHold: false, mayPause: false, features: [], owner: {} };
const lost = new StoreError('STORE_UNAVAILABLE', 'no reply');

/** A store with the clock of the process. */
function remoteStore(): RemoteStore {
  const store = new RemoteStore();
  jest.spyOn(performance, 'now').mockImplementation(() => store.clock());
  return store;
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('compose', () => {
  it('wraps a store once, for all limiters', () => {
    const store = new RemoteStore();

    expect(compose(store)).toBe(compose(store));
  });

  it('has a memory store decide rates by itself', async () => {
    const store = memoryStore() as DecidingStore;
    const decide = jest.spyOn(store, 'decide');
    const { chargeFor, release } = compose(store);
    const group = [claimOf()];

    void chargeFor({ ...needs, isLeased: true })(group);

    expect(decide.mock.calls.map(([decided]) => decided === group)).toEqual([true]);
    await expect(release({})).resolves.toBeUndefined();
    store.close();
  });

  it('sends rates to a remote store as they are', async () => {
    const store = remoteStore();
    const consume = jest.spyOn(store, 'consume');
    const { chargeFor } = compose(store);
    const group = [claimOf()];

    for (const isCached of [true, false]) {
      await chargeFor({ ...needs, isCached })(group);
    }

    expect(consume.mock.calls.map(([sent]) => sent === group)).toEqual([true, true]);
  });

  it('answers from the deny cache by cached, and not by uncached', async () => {
    const { cached, uncached } = compose(remoteStore());
    const claim = claimOf({ policy, cost: 4 });
    await cached.consume([claim]);
    await cached.consume([claim]);

    const sources = [(await cached.consume([claim])).source, (await uncached.consume([claim])).source];

    expect(sources).toEqual(['deny-cache', 'redis']);
  });

  it('drops the denial of a key when leased units arrive or go back', async () => {
    const store = remoteStore();
    const { cached, release } = compose(store, (each) => layersOf(each, new HotKeys(1, 1)));
    const claim = claimOf({ policy, lease: { units: 4, duration: 1_000 } });
    await cached.consume([claim]);
    const way = store.delay();
    // Its own unit and those of its refill leave 3 in the store.
    const second = cached.consume([claim]);
    await settled();
    store.way = Promise.resolve();
    const rest = await store.consume([{ ...claim, cost: 3 }]);
    // A request of several tiers does not wait for the refill.
    const denied = await cached.consume([claim, claimOf({ tier: 'other' })]);
    await way.arrive();
    await second;
    const served = await cached.consume([claim]);
    const again = await cached.consume([claim]);
    await store.refund(rest.receipts);
    await release(() => true);
    const after = await cached.consume([claim]);

    expect([denied, served, again, after].map(({ outcomes, source }) => [outcomes[0]!.allowed, source])).toEqual([
      [false, 'redis'],
      [true, 'lease'],
      [false, 'redis'],
      [true, 'redis'],
    ]);
  });

  it('decides locally when the store fails, and leases nothing of the local budget', async () => {
    const store = remoteStore();
    const { cached } = compose(store);
    const claim = claimOf({ policy, lease: { units: 4, duration: 1_000 } });
    store.failure = lost;

    const answers = [];
    for (let request = 0; request < 7; request += 1) answers.push(await cached.consume([claim]));

    expect(answers.map(({ source, outcomes }) => [source, outcomes[0]!.remaining])).toEqual(
      [5, 4, 3, 2, 1, 0, 0].map((left) => ['local', left]),
    );
  });

  it('decides requests locally that wait for a refill that fails', async () => {
    const store = new RemoteStore();
    compose(store, (each) => layersOf(each, new HotKeys(1, 1)));
    const lease = { units: 4, duration: '1m' } as const;
    const limiter = createLimiter({ ...policy, name: 'hot', store, key: () => 'all', lease });
    await limiter.consume({}, { cost: 2 });
    const way = store.delay();
    const decisions = [2, 1, 1].map((cost) => limiter.consume({}, { cost }));
    const sent = store.groups.length;
    await way.lose(lost);

    const all = await Promise.all(decisions);
    await limiter.close();

    // The first of them has its own call, and starts a refill of 2 units.
    expect(sent).toBe(3);
    expect(store.groups).toHaveLength(sent);
    expect(all).toMatchObject(
      [4, 3, 2].map((remaining) => ({ source: 'local', degraded: true, allowed: true, outcomes: [{ remaining }] })),
    );
  });
});
