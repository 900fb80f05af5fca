import assert from 'node:assert/strict';

import { chargedFor, type PolicyOptions } from '@sluice/core/internal';
import { decisions, type StoreTest } from './store-test.js';

const failures = { algorithm: 'backoff', limit: 2, window: '2d', delays: ['1h', '1d'], forgive: 'all' } as const;

/** Tests of strikes. */
export function backoffRules(test: StoreTest): void {
  test('admits one request more than the limit, and then denies for the first delay', async (store, claimOf) => {
    const claim = claimOf('failures', failures);

    const answers = [];
    for (let request = 0; request < 4; request += 1) answers.push(await store.consume([claim]));

    assert.deepEqual(answers.flatMap(decisions), ['1 left', '0 left', '0 left', 'denied, 0 left']);
    const { retryAfter, limit, never } = answers[3]!.outcomes[0]!;
    assert.deepEqual([limit, never], [2, false]);
    assert.ok(retryAfter > 3_500_000 && retryAfter <= 3_600_000);
  });

  test('admits at most one more than the limit of many requests at the same time', async (store, claimOf) => {
    const claim = claimOf('failures', failures);

    const answers = await Promise.all(Array.from({ length: 100 }, async () => store.consume([claim])));

    assert.equal(answers.filter(({ outcomes }) => outcomes[0]!.allowed).length, 3);
    assert.equal(answers.flatMap(({ receipts }) => receipts).length, 3);
  });

  test('forgives every strike by one refund, or those of a request', async (store, claimOf) => {
    const all = claimOf('all', failures);
    const one = claimOf('one', { ...failures, forgive: 'one' } as PolicyOptions);
    const { receipts } = await store.consume([all, one]);
    for (let request = 0; request < 2; request += 1) await store.consume([all, one]);

    const given = await store.refund(receipts);

    assert.equal(given, 3 + 1);
    assert.deepEqual(decisions(await store.consume([all])), ['1 left']);
    assert.deepEqual(decisions(await store.peek([one])), ['0 left']);
  });

  test('blocks until it is forgotten from lockAt on', async (store, claimOf) => {
    const claim = claimOf('locked', { ...failures, lockAt: 3 });

    for (let request = 0; request < 3; request += 1) await store.consume([claim]);
    const { outcomes } = await store.peek([claim]);

    assert.ok(outcomes[0]!.retryAfter > 47 * 3_600_000);
    assert.equal(outcomes[0]!.retryAfter, outcomes[0]!.resetAfter);
  });

  test('bans a client that another tier denies too often', async (store, claimOf) => {
    const limit = claimOf('limit', { algorithm: 'fixed-window', limit: 1, window: '1h' });
    const ban = chargedFor(claimOf('ban', { ...failures, limit: 1 }), 'denied');

    const denials = [];
    for (let request = 0; request < 4; request += 1) denials.push((await store.consume([limit, ban])).outcomes[1]!);

    assert.deepEqual(
      denials.map(({ allowed }) => allowed),
      [true, true, false, false],
    );
    assert.ok(denials[2]!.retryAfter > 3_500_000);
  });
}
