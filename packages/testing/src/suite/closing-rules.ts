import assert from 'node:assert/strict';

import { SAMPLES } from './samples.js';
import type { StoreTest, TestedStore } from './store-test.js';

/** Tests of `close`. */
export function closingRules(test: StoreTest): void {
  test('answers the checks in flight', async (store, claimOf) => {
    const claim = claimOf('tier', SAMPLES['fixed-window']!);

    const pending = Promise.all([1, 2, 3].map(async () => store.consume([claim])));
    await store.close();

    // In any order: a remote store may have to send one again.
    const remaining = (await pending).map(({ outcomes }) => outcomes[0]!.remaining);
    assert.deepEqual(new Set(remaining), new Set([2, 3, 4]));
  });

  test('rejects every later call', async (store, claimOf) => {
    const claim = claimOf('tier', SAMPLES['fixed-window']!);
    const calls: Record<string, (closed: TestedStore) => unknown> = {
      consume: (closed) => closed.consume([claim]),
      peek: (closed) => closed.peek([claim]),
      refund: (closed) => closed.refund([]),
      reset: (closed) => closed.reset([claim.key]),
      recorded: (closed) => closed.recorded(claim.key),
    };

    await store.close();

    for (const [name, call] of Object.entries(calls)) {
      await assert.rejects(async () => call(store), { name: 'StoreError', code: 'STORE_CLOSED' }, name);
    }
  });

  test('may be called twice', async (store) => {
    await store.close();
    await store.close();
  });
}
