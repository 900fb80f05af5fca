import { redisStore } from '../../../packages/redis/src/index.js';
import type { RedisServer } from '../../support/redis.js';
import { startSentinelGroup, type SentinelGroup } from '../../support/sentinel-group.js';
import { untilAnswered } from '../../support/until.js';
import { promotionOf } from '../faults/promotion.js';
import { command } from '../faults/server-scene.js';
import { ada, CREDIT, CreditJournal, INCLUDED, limiterOn } from './credit-journal.js';
import { creditsOf } from '@sluice/quotas';

/** Until its replicas have all that it has written. */
const inStep = command((client) => client.wait(2, 1_000));

/** Its replicas get nothing more. */
const loseReplicas = command(async (client) => {
  await client.config('SET', 'requirepass', 'unknown to replicas');
  await client.call('CLIENT', 'KILL', 'TYPE', 'replica');
});

describe('Credits on a group with Sentinels', () => {
  let group: SentinelGroup;
  let primary: RedisServer;
  let replicas: readonly RedisServer[];
  let store: ReturnType<typeof redisStore>;

  beforeEach(async () => {
    group = await startSentinelGroup();
    [primary, ...replicas] = group.servers as [RedisServer, ...RedisServer[]];
    store = redisStore(group.group, { deadline: '500ms' });
  });

  afterEach(async () => {
    await store.close();
    await group.stop();
  });

  it('lose and invent no unit when the primary dies with replicas in step, and count a repeated id once', async () => {
    const limiter = limiterOn(store);
    const journal = new CreditJournal();
    const request = async () => journal.add(limiter, await limiter.consume(ada));
    const credit = () => creditsOf(limiter).credit(ada, CREDIT, { id: 'invoice 1' });
    await untilAnswered(credit);
    for (let turn = 0; turn < INCLUDED + 10; turn += 1) await request();
    await inStep(primary);
    const promotion = promotionOf(replicas);

    primary.process.kill('SIGKILL');
    // What is in flight is lost, and denied.
    await Promise.all(Array.from({ length: 5 }, request));
    await promotion;
    await untilAnswered(credit);
    await untilAnswered(() => creditsOf(limiter).credit(ada, CREDIT, { id: 'invoice 2' }));
    for (let turn = 0; turn < 20; turn += 1) await request();
    const excess = await untilAnswered(() => journal.excess(limiter, 2 * CREDIT));

    const { unknown } = journal;
    expect(excess).toBeGreaterThanOrEqual(-unknown.refunds);
    expect(excess).toBeLessThanOrEqual(unknown.charges);
    expect(journal.charged).toBeGreaterThan(INCLUDED);
  });

  it('are what a ledger says after reconcile, when the replica that takes over lacks the last writes', async () => {
    const limiter = limiterOn(store);
    await untilAnswered(() => creditsOf(limiter).credit(ada, CREDIT, { id: 'invoice 1' }));
    for (let turn = 0; turn < INCLUDED; turn += 1) await limiter.consume(ada);
    await inStep(primary);
    await loseReplicas(primary);
    for (let turn = 0; turn < 15; turn += 1) await limiter.consume(ada);
    const promotion = promotionOf(replicas);

    primary.process.kill('SIGKILL');
    await promotion;
    const leftOf = async () => (await limiter.inspect(ada, { tiers: ['credits'] }))[0]!.outcome.remaining;
    const lost = await untilAnswered(leftOf);
    // The ledger knows all 15 of them, and the store knows of none in this hour.
    const asOf = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const reconciled = await creditsOf(limiter).reconcile(ada, CREDIT - 15, { asOf });

    expect([lost, reconciled, await leftOf()]).toEqual([CREDIT, CREDIT - 15, CREDIT - 15]);
  });
});
