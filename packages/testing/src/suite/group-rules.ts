import assert from 'node:assert/strict';

import { chargedFor, type Claim } from '@sluice/core/internal';
import { SAMPLES, UNITS } from './samples.js';
import { decisions, type ClaimMaker, type StoreTest } from './store-test.js';

/** Tests of claims that are decided together. */
export function groupRules(test: StoreTest): void {
  test('charges all claims, or none when one denies', async (store, claimOf) => {
    const wide = claimOf('wide', { algorithm: 'token-bucket', limit: 1, window: '1h', burst: 5 });
    const narrow = claimOf('narrow', { algorithm: 'fixed-window', limit: 2, window: '1h' });
    await store.consume([wide, narrow]);
    await store.consume([wide, narrow]);

    const denied = await store.consume([wide, narrow]);

    const expected = ['3 left', 'denied, 0 left'];
    assert.deepEqual(decisions(denied), expected);
    assert.deepEqual(denied.receipts, []);
    assert.deepEqual(decisions(await store.peek([wide, narrow])), expected);
  });

  test('answers claims of every algorithm, in their order', async (store, claimOf) => {
    const group = everyAlgorithm(claimOf);
    const backwards = group.toReversed();

    const answers = [await store.consume(group), await store.consume(backwards)];
    for (let count = 2; count < UNITS; count += 1) await store.consume(group);
    const denied = await store.consume(group);

    for (const [index, claims] of [group, backwards].entries()) {
      assert.deepEqual(tiersOf(answers[index]!.outcomes), tiersOf(claims));
      assert.deepEqual(tiersOf(answers[index]!.receipts), tiersOf(claims));
      assert.ok(answers[index]!.outcomes.every(({ allowed, remaining }) => allowed && remaining === UNITS - 1 - index));
    }
    assert.ok(denied.outcomes.every(({ allowed, remaining }) => !allowed && remaining === 0));
  });

  test('answers a request without claims', async (store) => {
    const { outcomes, receipts } = await store.consume([]);

    assert.deepEqual([outcomes, receipts], [[], []]);
  });

  test('charges all or none of many concurrent groups that overlap', async (store, claimOf) => {
    const shared = claimOf('shared', SAMPLES['sliding-window']!);
    const own = Array.from({ length: 20 }, (_, index) => claimOf(`own-${index}`, SAMPLES['token-bucket']!));

    const answers = await Promise.all(own.map(async (each) => store.consume([each, shared])));
    const charged = await Promise.all(own.map(async (each) => store.peek([each])));

    assert.equal(answers.filter(({ receipts }) => receipts.length === 2).length, UNITS);
    assert.equal(answers.filter(({ receipts }) => receipts.length === 0).length, 20 - UNITS);
    assert.equal(charged.filter(({ outcomes }) => outcomes[0]!.remaining === UNITS - 1).length, UNITS);
  });

  test('charges only tiers that charge all requests when another denies', async (store, claimOf) => {
    const login = chargedFor(claimOf('login', SAMPLES['fixed-window']!), 'all');
    const other = claimOf('other', SAMPLES['sliding-window']!);
    const denying = claimOf('denying', SAMPLES['sliding-window-log']!, { cost: UNITS + 1 });

    const { outcomes, receipts } = await store.consume([login, other, denying]);

    assert.deepEqual(
      outcomes.map(({ remaining }) => remaining),
      [UNITS - 1, UNITS, UNITS],
    );
    assert.deepEqual(
      receipts.map(({ tier, units }) => [tier, units]),
      [['login', 1]],
    );
  });

  test('charges what is settled into an overdraft, and denies until it has refilled', async (store, claimOf) => {
    const claim = claimOf('tier', { algorithm: 'token-bucket', limit: 1, window: '1h', burst: 5, overdraft: 3 });
    const settled = chargedFor({ ...claim, policy: claim.policy.settling!, cost: 9 }, 'all');
    await store.consume([claim]);

    const { receipts } = await store.consume([settled]);
    const denied = await store.consume([claim, claimOf('other', SAMPLES['sliding-window']!)]);

    assert.deepEqual(
      receipts.map(({ units }) => units),
      [7],
    );
    assert.deepEqual(decisions(denied), ['denied, 0 left', '5 left']);
    assert.ok(denied.outcomes[0]!.retryAfter > 3 * 3_600_000);
  });

  test('charges a tier for denied requests when another one denies, and tells its own wait at once', async (store, claimOf) => {
    const ban = chargedFor(claimOf('ban', { algorithm: 'fixed-window', limit: 2, window: '1h' }), 'denied');
    const limit = claimOf('limit', { algorithm: 'fixed-window', limit: 1, window: '1h' });

    const answers = [];
    for (let request = 0; request < 4; request += 1) answers.push(await store.consume([limit, ban]));

    assert.deepEqual(answers.map(decisions), [
      ['0 left', '2 left'],
      ['denied, 0 left', '1 left'],
      ['denied, 0 left', 'denied, 0 left'],
      ['denied, 0 left', 'denied, 0 left'],
    ]);
    assert.deepEqual(
      answers.map(({ receipts }) => receipts.map(({ tier, units }) => [tier, units])),
      [[['limit', 1]], [['ban', 1]], [['ban', 1]], []],
    );
  });

  test('returns a receipt for each charge, and refunds them together', async (store, claimOf) => {
    const one = claimOf('one', SAMPLES['fixed-window']!, { cost: 2 });
    const other = claimOf('other', SAMPLES['token-bucket']!, { cost: 3 });
    const free = claimOf('free', SAMPLES['multi-window']!, { cost: 0 });

    const { receipts } = await store.consume([one, other, free]);
    const given = await store.refund(receipts);

    assert.deepEqual(
      receipts.map(({ tier, key, units }) => [tier, key, units]),
      [
        ['one', one.key, 2],
        ['other', other.key, 3],
      ],
    );
    assert.ok(receipts.every(({ at, until }) => Number.isSafeInteger(at) && until > at));
    assert.equal(given, 5);
    assert.deepEqual(decisions(await store.peek([one, other])), ['5 left', '5 left']);
  });

  test('keeps the count of a tier when its limit changes', async (store, claimOf) => {
    await store.consume([claimOf('tier', SAMPLES['fixed-window']!, { cost: 4 })]);

    const raised = await store.consume([claimOf('tier', { algorithm: 'fixed-window', limit: 9, window: '1h' })]);
    const cut = await store.consume([claimOf('tier', { algorithm: 'fixed-window', limit: 3, window: '1h' })]);

    assert.deepEqual([raised, cut].flatMap(decisions), ['4 left', 'denied, 0 left']);
  });
}

function everyAlgorithm(claimOf: ClaimMaker): Claim[] {
  return Object.values(SAMPLES).map((options, index) => claimOf(`tier-${index}`, options));
}

function tiersOf(items: readonly { readonly tier: string }[]): string[] {
  return items.map(({ tier }) => tier);
}
