import assert from 'node:assert/strict';

import { type Answer, type Claim, definePolicy, type PolicyOptions } from '@sluice/core/internal';
import { balance } from '@sluice/quotas';
import { creditAct, type Credited, creditedBy, reconcileAct } from '@sluice/quotas/internal';
import { allowedAndLeft, decisions, type ClaimMaker, type StoreTest, type TestedStore } from './store-test.js';

const month: PolicyOptions = { algorithm: 'fixed-window', limit: 3, window: '1h' };
const prepaid: PolicyOptions = { algorithm: balance() };
const credits: PolicyOptions = { algorithm: balance({ covers: ['month'] }) };

/** Tests of balances, for stores that have them: those with `act`. */
export function balanceRules(test: StoreTest): void {
  test('counts a credit once, of many at the same time', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid);

    const same = Array.from({ length: 20 }, () => credit(store, account, 5, 'one'));
    const answers = await Promise.all(same);
    const other = await credit(store, account, 7, 'other');
    const again = await credit(store, account, 5, 'one');

    assert.deepEqual(new Set(answers.map((answer) => answer?.balance)), new Set([5]));
    assert.deepEqual(answers.filter((answer) => answer?.isNew).length, 1);
    assert.deepEqual(other, { balance: 12, isNew: true, units: 7 });
    assert.deepEqual(again, { balance: 12, isNew: false, units: 5 });
  });

  test('adds nothing under a known id, and returns the units that were added under it', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid);
    await credit(store, account, 100, 'one');

    const other = await credit(store, account, 5_000, 'one');

    assert.deepEqual(other, { balance: 100, isNew: false, units: 100 });
  });

  test('denies without units, and spends those that it has', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid, { cost: 3 });

    const before = await store.consume([account]);
    await credit(store, account, 5, 'one');
    const after = [await store.consume([account]), await store.consume([account])];

    assert.deepEqual([before, ...after].map(decisions), [['denied, 0 left'], ['2 left'], ['denied, 2 left']]);
    const [outcome] = before.outcomes;
    assert.deepEqual([outcome!.never, outcome!.retryAfter, outcome!.resetAfter], [false, Infinity, 0]);
    assert.deepEqual([after[0]!.outcomes[0]!.limit, after[0]!.receipts[0]!.units], [5, 3]);
  });

  test('pays where a covered tier denies, and charges that tier nothing', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const { group, account } = tiersOf(claimOf, 2);
    await credit(store, account, 5, 'one');

    const answers = [];
    for (let request = 0; request < 5; request += 1) answers.push(await store.consume(group));

    assert.deepEqual(answers.map(payerOf), [undefined, 'credits', 'credits', undefined, undefined]);
    // The hour, the month and the credits. The last requests are denied by the month.
    assert.deepEqual(answers.map(allowedAndLeft), [
      [
        [true, 18],
        [true, 1],
        [true, 5],
      ],
      [
        [true, 16],
        [true, 1],
        [true, 3],
      ],
      [
        [true, 14],
        [true, 1],
        [true, 1],
      ],
      [
        [true, 14],
        [false, 1],
        [true, 1],
      ],
      [
        [true, 14],
        [false, 1],
        [true, 1],
      ],
    ]);
    const [, covered] = answers[1]!.outcomes;
    assert.deepEqual([covered!.coveredBy, covered!.retryAfter, covered!.held], ['credits', 0, true]);
    assert.deepEqual(
      answers.map(({ receipts }) => receipts.map(({ tier, units }) => `${tier} ${units}`)),
      [['hour 2', 'month 2'], ['hour 2', 'credits 2'], ['hour 2', 'credits 2'], [], []],
    );
  });

  test('pays nothing where a tier denies that it does not cover', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const { group, account } = tiersOf(claimOf, 4);
    await credit(store, account, 50, 'one');
    for (let request = 0; request < 5; request += 1) await store.consume(group);

    const answer = await store.consume(group);
    const { outcomes, receipts } = answer;

    assert.deepEqual(
      outcomes.map(({ tier, allowed }) => [tier, allowed]),
      [
        ['hour', false],
        ['month', true],
        ['credits', true],
      ],
    );
    assert.deepEqual(
      [receipts, payerOf(answer), (await store.peek([account])).outcomes[0]!.remaining],
      [[], undefined, 30],
    );
  });

  test('tells by a peek that it would pay, and changes nothing', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const { group, account } = tiersOf(claimOf, 4);
    await credit(store, account, 4, 'one');

    const peeks = [await store.peek(group), await store.peek(group)];

    assert.deepEqual(
      peeks.map((answer) => [payerOf(answer), answer.receipts.length]),
      [
        ['credits', 0],
        ['credits', 0],
      ],
    );
    assert.deepEqual(allowedAndLeft(peeks[1]!), [
      [true, 20],
      [true, 3],
      [true, 4],
    ]);
  });

  test('decides requests at the same time as one after the other', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const { group, account } = tiersOf(claimOf, 1);
    await credit(store, account, 4, 'one');

    const answers = await Promise.all(Array.from({ length: 12 }, async () => store.consume(group)));

    const paid = answers.filter((answer) => payerOf(answer) === 'credits');
    const included = answers.filter(({ receipts }) => receipts.some(({ tier }) => tier === 'month'));
    assert.deepEqual([included.length, paid.length], [3, 4]);
    assert.deepEqual(allowedAndLeft(await store.peek(group)), [
      [true, 13],
      [false, 0],
      [true, 0],
    ]);
  });

  test('takes refunds back, also when no unit was left', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const { group, account } = tiersOf(claimOf, 4);
    await credit(store, account, 4, 'one');
    const { receipts } = await store.consume(group);

    const given = await store.refund(receipts.filter(({ tier }) => tier === 'credits'));

    assert.deepEqual([given, (await store.peek([account])).outcomes[0]!.remaining], [4, 4]);
  });

  test('sets a balance to a ledger, less what was spent since', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid, { cost: 3 });
    await credit(store, account, 5, 'one');
    await store.consume([account]);
    const hour = Math.floor((await nowOf(store, account)) / 3_600_000);

    const reconcile = async (units: number, since: number) =>
      (await store.act!(account, reconcileAct({ units, since })))[0];
    const known = await reconcile(100, hour + 1);
    const since = await reconcile(100, hour);
    const none = await reconcile(2, hour);
    const repeated = await credit(store, account, 5, 'one');

    assert.deepEqual([known, since, none, repeated?.balance], [100, 97, 0, 0]);
  });

  test('holds at most 2^52 units', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid, { cost: 1 });

    const credited = [await credit(store, account, 2 ** 52, 'one'), await credit(store, account, 1, 'two')];
    const { outcomes } = await store.consume([account]);
    const after = await credit(store, account, 1, 'two');

    assert.deepEqual(
      credited.map((answer) => answer?.balance),
      [2 ** 52, undefined],
    );
    assert.deepEqual([outcomes[0]!.remaining, after?.balance], [2 ** 52 - 1, 2 ** 52]);
  });

  test('forgets a balance and its ids by a reset', async (store, claimOf) => {
    if (!hasBalances(store)) return;
    const account = claimOf('credits', prepaid);
    await credit(store, account, 5, 'one');

    await store.reset([account.key]);

    assert.deepEqual(decisions(await store.peek([account])), ['denied, 0 left']);
    assert.deepEqual(await credit(store, account, 5, 'one'), { balance: 5, isNew: true, units: 5 });
  });
}

function hasBalances(store: TestedStore): boolean {
  return typeof store.act === 'function';
}

async function credit(store: TestedStore, account: Claim, units: number, id: string): Promise<Credited | undefined> {
  const added = { units, id };
  return creditedBy(await store.act!(account, creditAct(added)), added);
}

/** A tier beside a month of 3 units, whose place credits take. */
function tiersOf(claimOf: ClaimMaker, cost: number): { group: readonly Claim[]; account: Claim } {
  const account = claimOf('credits', credits, { cost });
  const hour = claimOf('hour', { algorithm: 'fixed-window', limit: 20, window: '1h' }, { cost });
  return { group: [hour, claimOf('month', month, { cost }), account], account };
}

/** Milliseconds since 1970 by the clock of the store. */
async function nowOf(store: TestedStore, { key }: Claim): Promise<number> {
  const probe = { tier: 'probe', key: `${key}:probe`, cost: 1, shadow: false, record: undefined };
  const policy = definePolicy({ algorithm: 'fixed-window', limit: 1, window: '1h' });
  const { receipts } = await store.consume([{ ...probe, policy }]);
  return receipts[0]!.at / 1e3;
}

/** The tier of the balance that pays. Where a tier denies, none does. */
function payerOf({ outcomes }: Answer): string | undefined {
  const isAdmitted = outcomes.every(({ allowed, shadow }) => allowed || shadow);
  return isAdmitted ? outcomes.find(({ coveredBy }) => coveredBy !== undefined)?.coveredBy : undefined;
}
