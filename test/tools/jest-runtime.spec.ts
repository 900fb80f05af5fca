import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks';

describe('scripts/jest-runtime.cjs', () => {
  it('has no promise of a spec tracked: neither for the test that runs, nor for a storage of an earlier spec file', async () => {
    const ids = new Set<number>();
    for (let turn = 0; turn < 5; turn += 1) {
      await Promise.resolve();
      // Node gives each promise a number of its own while it tracks them.
      ids.add(executionAsyncId());
    }

    expect(ids.size).toBe(1);
  });

  it('gives a spec a storage that follows its promises', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen = await storage.run('one', async () => {
      await Promise.resolve();
      return storage.getStore();
    });

    expect([seen, storage.getStore()]).toEqual(['one', undefined]);
  });
});
