import type { PolicyOptions } from '../../algorithms/named/policy-options.js';
import { chargedFor, type Claim } from '../../model/claim.js';
import { claim as claimOf } from '../../../../../test/support/claim.js';
import { RemoteStore } from '../../../../../test/support/remote-store.js';
import { StoreError } from '../../model/errors.js';
import { DenyCache, denyLayer } from './deny-cache.js';
import { Layers } from '../layers/layers.js';
import { memoryStore } from '../memory/memory-store.js';
import { FallbackLayer } from './with-fallback.js';
import type { Store } from '../store.js';
import { behindDenyCache } from '../../../../../test/support/layered-stores.js';

const one: PolicyOptions = { algorithm: 'fixed-window', limit: 1, window: '10s' };

function scene() {
  const store = new RemoteStore();
  const cached = behindDenyCache(store, new DenyCache(store.clock));
  const claim = claimOf({ policy: one });
  return { store, cached, uncached: cached.uncached, claim };
}

/** A claim that was denied. */
async function denied() {
  const made = scene();
  const { receipts } = await made.cached.consume([made.claim]);
  await made.cached.consume([made.claim]);
  return { ...made, receipts };
}

const sourceOf = async (store: Pick<Store, 'consume'>, ...group: readonly Claim[]) =>
  (await store.consume(group)).source;

describe('denyLayer', () => {
  it('answers a denied request without the store', async () => {
    const { store, cached, claim } = await denied();

    expect(await sourceOf(cached, claim)).toBe('deny-cache');
    expect(store.groups).toHaveLength(2);
  });

  it('asks the store again for the keys of a request that failed in part, which has given back what it was charged', async () => {
    const { store, claim } = scene();
    const layers = new Layers(store, [
      denyLayer(new DenyCache(store.clock), { isDivided: true }),
      new FallbackLayer(store, memoryStore()),
    ]);
    const { lose } = store.delay();
    const failed = layers.consume([claim, claimOf({ tier: 'other' })]);
    store.way = Promise.resolve();
    await layers.consume([claim]);

    store.memory.reset([claim.key]);
    await lose(new StoreError('STORE_UNAVAILABLE', 'a slot of the Cluster is away'));

    expect(await failed).toMatchObject({ source: 'local' });
    expect(await layers.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it('sends every check of uncached to the store', async () => {
    const { uncached, claim } = await denied();

    expect(await sourceOf(uncached, claim)).toBe('redis');
  });

  it('sends a request with a tier that charges all to the store, and remembers nothing of it', async () => {
    const { cached, claim } = await denied();
    const counting = claimOf({ tier: 'counting', charge: 'all' });
    const other = claimOf({ policy: one });
    await cached.consume([other]);

    expect(await cached.consume([claim, counting])).toMatchObject({
      source: 'redis',
      receipts: [{ tier: 'counting' }],
    });
    expect(await sourceOf(cached, other, counting)).toBe('redis');
    expect(await sourceOf(cached, other)).toBe('redis');
  });

  it('applies a longer pause immediately', async () => {
    const { cached } = scene();
    const paused = claimOf({ tier: 'pause', policy: { algorithm: 'pause' } });
    await cached.consume([chargedFor({ ...paused, cost: 10_000 }, 'all')]);
    await cached.consume([paused]);
    const before = await cached.consume([paused]);

    await cached.consume([chargedFor({ ...paused, cost: 60_000 }, 'all')]);

    expect(before).toMatchObject({ source: 'deny-cache', outcomes: [{ retryAfter: 10_000 }] });
    expect((await cached.consume([paused])).outcomes).toMatchObject([{ allowed: false, retryAfter: 60_000 }]);
  });

  it('hears of a longer pause during an outage, which this process decides alone', async () => {
    const { store } = scene();
    jest.spyOn(process, 'emitWarning').mockImplementation();
    const layers = [denyLayer(new DenyCache(store.clock)), new FallbackLayer(store, store.memory)];
    const cached = new Layers(store, layers);
    const paused = claimOf({ tier: 'pause', policy: { algorithm: 'pause' } });
    await cached.consume([chargedFor({ ...paused, cost: 10_000 }, 'all')]);
    await cached.consume([paused]);
    store.failure = new Error('no reply');

    await cached.consume([chargedFor({ ...paused, cost: 60_000 }, 'all')]);

    expect(await cached.consume([paused])).toMatchObject({ source: 'local', outcomes: [{ retryAfter: 60_000 }] });
  });

  it('sends a peek to the store', async () => {
    const { store, cached, claim } = await denied();
    const call = jest.spyOn(store, 'peek');

    await cached.peek([claim]);

    expect(call).toHaveBeenCalledTimes(1);
  });

  it.each(['cached', 'uncached'] as const)('forgets denials of keys that %s refunds or resets', async (which) => {
    for (const change of ['refund', 'reset'] as const) {
      const made = await denied();

      await (change === 'refund' ? made[which].refund(made.receipts) : made[which].reset([made.claim.key]));

      const answer = await made.cached.consume([made.claim]);
      expect(answer).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
    }
  });

  it('has no answer while a refund is in flight', async () => {
    const { store, cached, claim, receipts } = await denied();
    const way = store.delay();

    const refund = cached.refund(receipts);
    const answer = cached.consume([claim]);
    await way.arrive();
    await refund;

    expect((await answer).source).toBe('redis');
  });

  it('remembers no denial that was in flight during a refund', async () => {
    const { store, cached, claim } = scene();
    const { receipts } = await cached.consume([claim]);
    const way = store.delay();
    const answer = cached.consume([claim]);
    store.way = Promise.resolve();
    await cached.refund(receipts);
    await way.arrive();
    await answer;

    expect(await cached.consume([claim])).toMatchObject({ source: 'redis', outcomes: [{ allowed: true }] });
  });

  it('forgets denials when a refund or a reset fails, because the store may have done it', async () => {
    const { store, cached, claim, receipts } = await denied();
    store.failure = new Error('no reply');

    await expect(cached.refund(receipts)).rejects.toThrow('no reply');
    await expect(cached.reset([claim.key])).rejects.toThrow('no reply');
    store.failure = undefined;

    expect(await sourceOf(cached, claim)).toBe('redis');
  });

  it('closes its store', async () => {
    const { store, cached, uncached } = scene();
    const close = jest.spyOn(store, 'close');

    await cached.close();
    await uncached.close();

    expect(close).toHaveBeenCalledTimes(2);
  });
});
