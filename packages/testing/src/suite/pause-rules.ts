import assert from 'node:assert/strict';

import { chargedFor } from '@sluice/core/internal';
import { decisions, type StoreTest } from './store-test.js';

/** Tests of pauses. */
export function pauseRules(test: StoreTest): void {
  test('denies while it is paused, and is charged by no request', async (store, claimOf) => {
    const claim = claimOf('pause', { algorithm: 'pause' });
    const rate = claimOf('rate', { limit: 5, window: '1h' });

    const before = await store.consume([claim, rate]);
    await store.consume([chargedFor({ ...claim, cost: 600_000 }, 'all')]);
    await store.consume([chargedFor({ ...claim, cost: 1_000 }, 'all')]);
    const paused = await store.consume([claim, rate]);
    await store.reset([claim.key]);
    const after = await store.consume([claim, rate]);

    assert.deepEqual([before, paused, after].map(decisions), [
      ['1 left', '4 left'],
      ['denied, 0 left', '4 left'],
      ['1 left', '3 left'],
    ]);
    assert.deepEqual(
      before.receipts.map(({ tier }) => tier),
      ['rate'],
    );
    const { retryAfter } = paused.outcomes[0]!;
    assert.ok(retryAfter > 590_000 && retryAfter <= 600_000);
  });
}
