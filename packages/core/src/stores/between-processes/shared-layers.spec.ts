import { createLimiter, memoryStore, type Store } from '../../index.js';
import { sharedLayers } from '../../own-store/index.js';

/** A store of an application, which wraps another one. */
function ownStore(layers: unknown): Store {
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
