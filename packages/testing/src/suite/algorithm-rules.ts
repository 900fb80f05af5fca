import assert from 'node:assert/strict';

import { chargedFor, type PolicyOptions, type Receipt } from '@sluice/core/internal';
import { UNITS } from './samples.js';
import { decisions, type StoreTest } from './store-test.js';

/** Tests of one tier with one algorithm, which holds five units. */
export function algorithmRules(test: StoreTest, options: PolicyOptions): void {
  checkRules(test, options);
  costRules(test, options);
  refundRules(test, options);
}

/** Tests of limits above 64: a sliding window counts in slots there, and lists the times of units below. */
export function highLimitRules(test: StoreTest): void {
  test('admits exactly 100 of many concurrent checks, and charges no other', async (store, claimOf) => {
    const claim = claimOf('tier', { limit: 100, window: '1h' });

    const answers = await Promise.all(Array.from({ length: 150 }, async () => store.consume([claim])));
    const denied = await store.consume([claim]);
    const receipts = answers.flatMap((answer) => answer.receipts);

    assert.equal(answers.filter(({ outcomes }) => outcomes[0]!.allowed).length, 100);
    assert.equal(receipts.length, 100);
    assert.deepEqual(decisions(denied), ['denied, 0 left']);
    assert.equal(await store.refund(receipts.slice(0, 1)), 1);
    assert.deepEqual(decisions(await store.peek([claim])), ['1 left']);
  });

  test('admits exactly 100 of checks that follow each other, and charges no other', async (store, claimOf) => {
    const claim = claimOf('tier', { limit: 100, window: '1h' });

    const allowed = [];
    for (let count = 0; count < 103; count += 1) allowed.push((await store.consume([claim])).outcomes[0]!.allowed);
    const two = await store.consume([{ ...claim, policy: claimOf('tier', { limit: 102, window: '1h' }).policy }]);

    assert.deepEqual([allowed.lastIndexOf(true), allowed.indexOf(false)], [99, 100]);
    assert.deepEqual(decisions(two), ['1 left']);
  });
}

function checkRules(test: StoreTest, options: PolicyOptions): void {
  test('admits five units and denies the sixth, with a wait', async (store, claimOf) => {
    const claim = claimOf('tier', options);

    const answers = [];
    for (let count = 0; count <= UNITS; count += 1) answers.push(await store.consume([claim]));

    assert.deepEqual(answers.flatMap(decisions), ['4 left', '3 left', '2 left', '1 left', '0 left', 'denied, 0 left']);
    const denied = answers[UNITS]!.outcomes[0]!;
    assert.deepEqual([denied.never, denied.limit], [false, UNITS]);
    assert.ok(denied.retryAfter > 0 && Number.isFinite(denied.retryAfter));
  });

  test('admits exactly five of many concurrent checks', async (store, claimOf) => {
    const claim = claimOf('tier', options);

    const answers = await Promise.all(Array.from({ length: 50 }, async () => store.consume([claim])));

    assert.equal(answers.filter(({ outcomes }) => outcomes[0]!.allowed).length, UNITS);
    assert.equal(answers.flatMap(({ receipts }) => receipts).length, UNITS);
  });

  test('peeks without a change', async (store, claimOf) => {
    const claim = claimOf('tier', options);
    await store.consume([claim]);

    const answers = [await store.peek([claim]), await store.peek([claim]), await store.consume([claim])];

    assert.deepEqual(answers.flatMap(decisions), ['4 left', '4 left', '3 left']);
  });

  test('peeks at a denial', async (store, claimOf) => {
    await store.consume([claimOf('tier', options, { cost: UNITS })]);

    const { outcomes } = await store.peek([claimOf('tier', options)]);

    assert.equal(outcomes[0]!.allowed, false);
    assert.ok(outcomes[0]!.retryAfter > 0);
  });
}

function costRules(test: StoreTest, options: PolicyOptions): void {
  test('charges a cost as a whole or not at all', async (store, claimOf) => {
    const three = claimOf('tier', options, { cost: 3 });

    const answers = [await store.consume([three]), await store.consume([three])];
    answers.push(await store.consume([{ ...three, cost: 2 }]));

    assert.deepEqual(answers.flatMap(decisions), ['2 left', 'denied, 2 left', '0 left']);
  });

  test('reads without charging at a cost of 0', async (store, claimOf) => {
    const nothing = claimOf('tier', options, { cost: 0 });

    const fresh = await store.consume([nothing]);
    await store.consume([{ ...nothing, cost: UNITS }]);
    const full = await store.consume([nothing]);

    assert.deepEqual([fresh, full].flatMap(decisions), ['5 left', '0 left']);
    assert.deepEqual(fresh.receipts, []);
  });

  test('never admits a cost above five', async (store, claimOf) => {
    const { outcomes } = await store.consume([claimOf('tier', options, { cost: UNITS + 1 })]);

    const { allowed, never, remaining, retryAfter } = outcomes[0]!;
    assert.deepEqual([allowed, never, remaining, retryAfter], [false, true, UNITS, Infinity]);
  });

  test('charges denied requests up to full if it charges all', async (store, claimOf) => {
    const counting = chargedFor(claimOf('counting', options), 'all');
    const denying = claimOf('denying', options, { cost: UNITS + 1 });

    const left: number[] = [];
    for (let count = 0; count < UNITS + 2; count += 1) {
      left.push((await store.consume([counting, denying])).outcomes[0]!.remaining);
    }

    assert.deepEqual(left, [4, 3, 2, 1, 0, 0, 0]);
  });

  test('charges a shadow tier if the request is admitted and the cost fits', async (store, claimOf) => {
    const shadow = claimOf('shadow', options, { shadow: true, cost: 3 });
    const enforced = claimOf('enforced', { limit: 2, window: '1h' });

    const fits = await store.consume([shadow, enforced]);
    const doesNotFit = await store.consume([shadow, enforced]);
    const isDenied = await store.consume([{ ...shadow, cost: 1 }, enforced]);

    assert.deepEqual(
      [fits, doesNotFit, isDenied].map((answer) => decisions(answer).join('; ')),
      ['2 left; 1 left', 'denied, 2 left; 0 left', '2 left; denied, 0 left'],
    );
    assert.deepEqual(
      fits.outcomes.map((outcome) => outcome.shadow),
      [true, false],
    );
  });
}

function refundRules(test: StoreTest, options: PolicyOptions): void {
  test('refunds the charged units once', async (store, claimOf) => {
    const claim = claimOf('tier', options, { cost: 3 });
    const { receipts } = await store.consume([claim]);

    const given = [await store.refund(receipts), await store.refund(receipts)];

    assert.deepEqual(given, [3, 0]);
    assert.deepEqual(decisions(await store.peek([claim])), ['5 left']);
  });

  test('refunds to a full budget that has denied a request', async (store, claimOf) => {
    const claim = claimOf('tier', options);
    const receipts: (readonly Receipt[])[] = [];
    for (let unit = 0; unit < UNITS; unit += 1) receipts.push((await store.consume([claim])).receipts);
    await store.consume([claim]);

    assert.equal(await store.refund(receipts.at(-1)!), 1);
    assert.deepEqual(decisions(await store.peek([claim])), ['1 left']);
  });

  test('refunds nothing after a reset, which gives all units back', async (store, claimOf) => {
    const claim = claimOf('tier', options, { cost: UNITS });
    const { receipts } = await store.consume([claim]);

    await store.reset([claim.key]);

    assert.equal(await store.refund(receipts), 0);
    assert.deepEqual(decisions(await store.consume([claim])), ['0 left']);
  });
}
