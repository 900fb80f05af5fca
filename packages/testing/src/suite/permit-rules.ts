import assert from 'node:assert/strict';

import type { PolicyOptions } from '@sluice/core/internal';
import { decisions, type StoreTest } from './store-test.js';

const running: PolicyOptions = { algorithm: 'concurrency', limit: 5, hold: '1h', retry: '2s' };

/** Tests of units that are held until their request ends. */
export function permitRules(test: StoreTest): void {
  test('admits exactly five of many requests at the same time, until one is released', async (store, claimOf) => {
    const claims = Array.from({ length: 12 }, (_, index) => claimOf('running', running, { name: `p${index}` }));

    const answers = await Promise.all(claims.map(async (claim) => store.consume([claim])));
    const receipts = answers.flatMap((answer) => answer.receipts);
    const denied = await store.peek([claims[0]!]);
    const given = await store.refund(receipts.slice(0, 2));

    assert.equal(receipts.length, 5);
    assert.ok(receipts.every(({ name, units, of }) => name !== undefined && units === 1 && of === 1));
    assert.deepEqual(decisions(denied), ['denied, 0 left']);
    assert.deepEqual([denied.outcomes[0]!.held, denied.outcomes[0]!.retryAfter], [true, 2_000]);
    assert.equal(given, 2);
    assert.deepEqual(decisions(await store.peek([claims[0]!])), ['2 left']);
  });

  test('releases a permit once', async (store, claimOf) => {
    const { receipts } = await store.consume([claimOf('running', running, { name: 'p', cost: 3 })]);

    assert.deepEqual([await store.refund(receipts), await store.refund(receipts)], [3, 0]);
  });

  test('takes and releases a permit of 10 000 units', async (store, claimOf) => {
    const most = { ...running, limit: 10_000 } as PolicyOptions;
    const { outcomes, receipts } = await store.consume([claimOf('running', most, { name: 'p', cost: 10_000 })]);

    assert.equal(outcomes[0]!.remaining, 0);
    assert.equal(await store.refund(receipts), 10_000);
  });

  test('gives requests of one turn that share a rate both or neither, in their order', async (store, claimOf) => {
    const permit = (name: string) => claimOf('running', { ...running, limit: 3 } as PolicyOptions, { name });
    const rate = claimOf('rate', { limit: 2, window: '1h' });
    const groups = ['p1', 'p2', 'p3', 'p4'].map((name) => [permit(name), rate]);

    const answers = await Promise.all(groups.map(async (group) => store.consume(group)));

    assert.deepEqual(answers.map(decisions), [
      ['2 left', '1 left'],
      ['1 left', '0 left'],
      ['1 left', 'denied, 0 left'],
      ['1 left', 'denied, 0 left'],
    ]);
  });

  test('releases the last units of a permit, and then the others', async (store, claimOf) => {
    const claim = claimOf('running', running, { name: 'p', cost: 3 });
    const [receipt] = (await store.consume([claim])).receipts;

    const last = await store.refund([{ ...receipt!, units: 2 }]);
    const left = decisions(await store.peek([claim]));

    assert.deepEqual([last, left], [2, ['4 left']]);
    assert.equal(await store.refund([receipt!]), 1);
  });

  test('takes a permit and a unit of a rate, or neither', async (store, claimOf) => {
    const permit = (name: string) => claimOf('running', { ...running, limit: 1 } as PolicyOptions, { name });
    const rate = claimOf('rate', { limit: 3, window: '1h' });
    const first = await store.consume([permit('p1'), rate]);

    const denied = await store.consume([permit('p2'), rate]);
    await store.refund(first.receipts.filter(({ tier }) => tier === 'running'));
    const second = await store.consume([permit('p3'), rate]);

    assert.deepEqual([first, denied, second].map(decisions), [
      ['0 left', '2 left'],
      ['denied, 0 left', '2 left'],
      ['0 left', '1 left'],
    ]);
  });

  test('charges a shadow tier if it fits, and releases it alike', async (store, claimOf) => {
    const shadow = claimOf('shadow', { ...running, limit: 1 } as PolicyOptions, { name: 'p1', shadow: true });

    const { receipts } = await store.consume([shadow]);
    const second = await store.consume([{ ...shadow, name: 'p2' }]);

    assert.deepEqual([decisions(second), second.receipts], [['denied, 0 left'], []]);
    assert.equal(await store.refund(receipts), 1);
  });

  test('renews a permit that was forgotten, and counts it as lapsed', async (store, claimOf) => {
    // Then no limiter gives out permits of this store.
    if (store.renew === undefined) return;
    const claim = claimOf('running', running, { name: 'p', cost: 2 });
    const other = claimOf('other', running, { name: 'q' });
    const { receipts } = await store.consume([claim, other]);
    await store.reset([claim.key]);

    const lapsed = await store.renew(receipts);

    assert.deepEqual([...lapsed], [2, 0]);
    assert.deepEqual([...(await store.renew(receipts))], [0, 0]);
    assert.deepEqual(decisions(await store.peek([claim])), ['3 left']);
  });

  test('never admits a cost above the limit, and reads at a cost of 0', async (store, claimOf) => {
    const { outcomes } = await store.consume([claimOf('running', running, { name: 'p', cost: 6 })]);
    const free = await store.consume([claimOf('running', running, { name: 'q', cost: 0 })]);

    assert.deepEqual([outcomes[0]!.never, outcomes[0]!.retryAfter], [true, Infinity]);
    assert.deepEqual([decisions(free), free.receipts], [['5 left'], []]);
  });
}
