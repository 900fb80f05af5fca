import { createLimiter, memoryStore, type Store } from '../../index.js';

/** A store of another process, as far as a limiter can tell. */
function ownStore(): Store {
  const store = memoryStore();
  return {
    consume: (group) => store.consume(group),
    peek: (group) => store.peek(group),
    refund: (receipts) => store.refund(receipts),
    reset: (keys) => store.reset(keys),
    recorded: (key) => store.recorded(key),
    close: () => store.close(),
  };
}

const hot = { name: 'hot', key: () => 'all', limit: 10, window: '1m', lease: { units: 2, duration: '1s' } } as const;

describe('createLimiter with a lease', () => {
  it('names what a store of your own needs, and accepts it once that is imported', async () => {
    expect(() => createLimiter({ ...hot, store: ownStore() })).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        option: 'lease',
        message: expect.stringContaining("write import '@sluice/core/own-store'"),
      }),
    );

    await import('../../own-store/index.js');

    expect(() => createLimiter({ ...hot, store: ownStore() })).not.toThrow();
  });

  it('has no effect with a memory store, which needs nothing else', () => {
    expect(() => createLimiter({ ...hot, store: memoryStore() })).not.toThrow();
  });
});
