import { createLimiter, type Inspection, type PolicyOptions } from '@sluice/core';
import type { RedisStore } from '@sluice/redis';
import { chargedFor } from '../../../packages/core/src/model/claim.js';
import { HOUR_MS } from '../../../packages/core/src/model/usage.js';
import { NO_POSITION, type ListStore } from '../../../packages/core/src/stores/store.js';
import { usageKey } from '../../../packages/core/src/stores/usage-key.js';
import type { UsageStore } from '../../../packages/core/src/stores/usage-ledger.js';
import { claim, everyPolicy, newTag } from '../../support/claim.js';
import { creditAct, endAct, reconcileAct } from '@sluice/quotas/internal';
import { balance, notices, type TierUsage, usage, usageOf } from '@sluice/quotas';

/** Uses every method of a store with every algorithm, until it denies and admits again. */
export async function everythingOf(store: RedisStore): Promise<void> {
  for (const [, policy] of everyPolicy(2)) await everyCall(store, policy);
  for (const policy of otherPolicies) await everyCall(store, policy);
  await permitCalls(store);
  await listCalls(store as RedisStore & ListStore);
  await balanceCalls(store);
  await usageCalls(store as RedisStore & UsageStore);
  await untilSomeLeave(store);
}

const otherPolicies: readonly PolicyOptions[] = [
  { algorithm: 'backoff', limit: 1, window: '1h', delays: ['1m'], forgive: 'all' },
  { algorithm: 'pause' },
];

async function listCalls(store: ListStore): Promise<void> {
  const key = `rl:{${newTag()}}:list`;
  const change = { name: '203.0.113.7', note: '' };
  await store.changeList(key, [{ ...change, duration: 0 }], 10);
  await store.readList(key, NO_POSITION);
  await store.changeList(key, [{ ...change, duration: 'leaves' }], 10);
  const lost = { ...change, number: Number.MAX_SAFE_INTEGER, until: 0 };
  await store.restoreList(key, { restorer: 'one', items: [lost] });
  await store.restoreList(key, { restorer: 'one', items: [], floor: 0 });
  await store.reset([`${key}-log`]);
  await store.readList(key, NO_POSITION);
}

/** Credits, spends, refunds and reconciles a balance. */
async function balanceCalls(store: RedisStore): Promise<void> {
  const tag = newTag();
  const payer = claim({ policy: { algorithm: balance({ covers: ['hour'] }) }, tier: 'credits', tag });
  const hour = claim({ policy: { algorithm: 'fixed-window', limit: 1, window: '1h' }, tag });
  for (const id of ['one', 'one', 'two']) await store.act(payer, creditAct({ units: 1, id }));
  const answers = [];
  for (let times = 0; times < 4; times += 1) answers.push(await store.consume([hour, payer]));
  await store.peek([hour, payer]);
  await store.refund(answers[2]!.receipts);
  await store.act(payer, reconcileAct({ units: 5, since: 0 }));
  await store.act(payer, endAct(true));
  await store.reset([payer.key]);
}

/** Charges and settles a month with notices and usage, and marks it as exported. */
async function usageCalls(store: UsageStore): Promise<void> {
  const month = {
    algorithm: 'fixed-window',
    limit: 9,
    period: 'month',
    notices: notices(0.5),
    usage: usage(),
  } as const;
  const limiter = createLimiter<string>({
    store,
    name: newTag(),
    key: (user) => user,
    label: (user) => user,
    ...month,
  });
  await limiter.settle(await limiter.consume('ada', { cost: 5 }), 2);
  const [{ hours }] = (await usageOf(limiter).read('ada')) as [TierUsage];
  const [{ key }] = (await limiter.inspect('ada')) as [Inspection];
  await store.usage.mark([{ key: usageKey(key), hour: hours[0]!.from / HOUR_MS, units: 2, before: 0 }]);
}

/** Takes, renews and releases permits. */
async function permitCalls(store: RedisStore): Promise<void> {
  const policy = { algorithm: 'concurrency', limit: 2, hold: '1s' } as const;
  const one = claim({ policy, name: 'one' });
  const { receipts } = await store.consume([one]);
  await store.renew(receipts);
  await store.consume([{ ...one, name: 'two' }]);
  await store.consume([{ ...one, name: 'three' }]);
  const two = claim({ policy, name: 'two units', cost: 2 });
  await store.refund((await store.consume([two])).receipts);
  // A text to record takes the general path.
  await store.refund((await store.consume([{ ...two, record: 'what happened' }])).receipts);
  await store.peek([one]);
  await store.refund(receipts);
  await store.reset([one.key]);
}

async function everyCall(store: RedisStore, policy: PolicyOptions): Promise<void> {
  const unit = claim({ policy });
  for (let times = 0; times < 3; times += 1) await store.consume([unit]);
  await store.consume([claim({ policy }), claim({ policy, tier: 'other' })]);
  const one = claim({ policy, record: 'what happened' });
  const { receipts } = await store.consume([one]);
  await store.consume([one, claim({ policy: { limit: 1, window: '1h' }, tag: newTag(), tier: 'other' })]);
  await store.consume([chargedFor(one, 'all')]);
  await store.peek([one]);
  await store.refund(receipts);
  await store.recorded(one.key);
  await store.reset([one.key]);
}

/** Lets some units leave their window. */
async function untilSomeLeave(store: RedisStore): Promise<void> {
  const one = claim({ policy: { algorithm: 'sliding-window-log', limit: 1_000, window: 30 } });
  const left = async () => (await store.consume([one])).outcomes[0]!.remaining;
  for (let before = await left(), now = await left(); now < before || now === 999; now = await left()) before = now;
}
