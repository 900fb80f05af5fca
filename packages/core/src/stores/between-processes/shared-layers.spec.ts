import { createLimiter, memoryStore, type Store } from '../../index.js';
import type { AbleStore } from '../store.js';
import { sharedLayers } from '../../own-store/index.js';
import { fakeClock } from '../../../../testing/src/clock.js';
import { closing } from '../closing.js';
import { linkOf } from '../../../../../test/support/link-of.js';
import { RemoteStore, settled } from '../../../../../test/support/remote-store.js';

/** A store of an application, which wraps another one. */
function ownStore(layers: unknown): AbleStore {
  const store = memoryStore();
  return {
    layers: layers as Store['layers'],
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    reset: (keys) => store.reset(keys),
    recorded: (key) => store.recorded(key),
    close: () => store.close(),
  };
}

const hour = { name: 'hour', key: () => 'all', limit: 10, window: '1h' } as const;
const hot = { ...hour, lease: { units: 2, duration: '1s' } } as const;

describe('createLimiter', () => {
  it.each([
    ['has no layers', () => ownStore(undefined)],
    ['wraps a memory store, and has the layers of that', () => ownStore(memoryStore().layers)],
  ])('says what to import for a store of an application that %s', (_what, make) => {
    expect(() => createLimiter({ ...hour, store: make() })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        option: 'store',
        message: expect.stringContaining("must have layers: sharedLayers, which '@sluice/core/own-store' exports"),
      }),
    );
  });

  it('takes a store of an application with shared layers, also with a lease', async () => {
    const limiter = createLimiter({ ...hot, store: ownStore(sharedLayers) });

    expect(await limiter.consume({})).toMatchObject({ allowed: true, binding: { remaining: 9 } });
    await limiter.close();
  });

  it('takes a memory store with a lease, which has no effect there', () => {
    expect(() => createLimiter({ ...hot, store: memoryStore() })).not.toThrow();
  });
});

/** A store on a client that outlives it, as stores of this package are. */
class StoreOnClient extends RemoteStore {
  readonly listeners = new Set<() => void>();
  readonly link = linkOf(this, {
    onReady: (listener) => this.#listen(listener),
    onAnswer: (listener) => this.#listen(listener),
  });

  #listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  override async close(): Promise<void> {
    await closing(this);
  }
}

describe('sharedLayers', () => {
  it('listen to a store until it closes, whose client may live on', async () => {
    const store = new StoreOnClient();
    createLimiter({ ...hour, store });
    const before = store.listeners.size;

    await store.close();

    expect([before, store.listeners.size]).toEqual([2, 0]);
  });

  it('admit by units of a request that left its line while it was decided, also where they were denied meanwhile', async () => {
    const store = new RemoteStore(fakeClock(Math.floor(performance.now())));
    const limiter = createLimiter<{ user: string }>({
      store,
      tiers: [
        { name: 'hour', key: ({ user }) => user, algorithm: 'fixed-window', limit: 1, window: '1h' },
        { name: 'running', key: () => 'all', algorithm: 'concurrency', limit: 1, wait: '1m' },
      ],
    });
    const running = await limiter.consume({ user: 'ada' });
    const leaving = new AbortController();
    const left = limiter.consume({ user: 'bob' }, { signal: leaving.signal });
    await settled();
    const released = limiter.release(running);
    const { arrive } = store.delay();
    await released;
    await settled();

    leaving.abort();
    const denied = limiter.consume({ user: 'bob' });
    await settled();
    await arrive();

    expect(await left).toMatchObject({ allowed: false });
    expect(await denied).toMatchObject({ allowed: false, deniedBy: ['hour', 'running'] });
    expect(await limiter.consume({ user: 'bob' })).toMatchObject({ allowed: true });
    await limiter.close();
  });
});
