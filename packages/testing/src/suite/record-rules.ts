import assert from 'node:assert/strict';

import { chargedFor } from '@sluice/core/internal';
import { SAMPLES, UNITS } from './samples.js';
import type { StoreTest } from './store-test.js';

const MAX_TEXTS = 20;

/** Tests of the texts that a tier records of admitted requests. */
export function recordRules(test: StoreTest): void {
  for (const [name, options] of Object.entries(SAMPLES)) {
    test(`are in order, newest first (${name})`, async (store, claimOf) => {
      const claim = claimOf('tier', options);

      for (const record of ['first', 'second', 'third']) await store.consume([{ ...claim, record }]);

      assert.deepEqual(await store.recorded(claim.key), ['third', 'second', 'first']);
    });
  }

  test('are the newest twenty', async (store, claimOf) => {
    const claim = claimOf('tier', { limit: 100, window: '1h' });

    const texts = Array.from({ length: MAX_TEXTS + 5 }, (_, index) => `request ${index}`);
    for (const record of texts) await store.consume([{ ...claim, record }]);

    assert.deepEqual(await store.recorded(claim.key), texts.toReversed().slice(0, MAX_TEXTS));
  });

  test('are of admitted requests only', async (store, claimOf) => {
    const recording = chargedFor(claimOf('recording', SAMPLES['fixed-window']!, { record: 'admitted' }), 'all');
    const other = claimOf('other', SAMPLES['sliding-window']!);
    await store.consume([recording, other]);

    await store.consume([
      { ...recording, record: 'denied by another tier' },
      { ...other, cost: UNITS + 1 },
    ]);
    await store.consume([{ ...recording, record: 'denied by its own tier', cost: UNITS }]);

    assert.deepEqual(await store.recorded(recording.key), ['admitted']);
  });

  test('are of charged requests only', async (store, claimOf) => {
    const claim = claimOf('tier', SAMPLES['fixed-window']!, { record: 'charged' });
    await store.consume([claim]);

    await store.consume([{ ...claim, record: 'cost 0', cost: 0 }]);
    await store.consume([{ ...claim, record: 'does not fit in shadow', shadow: true, cost: UNITS }]);
    await store.peek([{ ...claim, record: 'peeked' }]);

    assert.deepEqual(await store.recorded(claim.key), ['charged']);
  });

  test('do not depend on shadow tiers', async (store, claimOf) => {
    const claim = claimOf('tier', SAMPLES['fixed-window']!, { record: 'admitted' });
    const shadow = chargedFor(claimOf('shadow', SAMPLES['sliding-window']!, { shadow: true, cost: UNITS }), 'all');

    for (const record of ['fits', 'is full']) await store.consume([claim, { ...shadow, record }]);

    assert.deepEqual(await store.recorded(claim.key), ['admitted', 'admitted']);
    assert.deepEqual(await store.recorded(shadow.key), ['fits']);
  });

  test('belong to one key, and are deleted with it', async (store, claimOf) => {
    const one = claimOf('one', SAMPLES['token-bucket']!, { record: 'one' });
    const other = claimOf('other', SAMPLES['token-bucket']!, { record: 'other' });
    await store.consume([one, other]);

    await store.reset([one.key]);

    assert.deepEqual([await store.recorded(one.key), await store.recorded(other.key)], [[], ['other']]);
    assert.deepEqual(await store.recorded(claimOf('unused', SAMPLES['token-bucket']!).key), []);
  });
}
