import { redisStore } from '../../../packages/redis/src/index.js';
import type { RedisServer } from '../../support/redis.js';
import { startSentinelGroup, type SentinelGroup } from '../../support/sentinel-group.js';
import { untilAnswered } from '../../support/until.js';
import { promotionOf } from '../faults/promotion.js';
import { command } from '../faults/server-scene.js';
import { ada, type Caller, CREDIT, CreditJournal, INCLUDED, limiterOn } from './credit-journal.js';
import { createLimiter } from '../../../packages/core/src/index.js';
import { balance, creditsOf, endGrants } from '@sluice/quotas';

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

  it('that end while the primary dies are posted once, and none of their units is lost to the sum or doubled', async () => {
    const limiter = createLimiter<Caller>({
      store,
      tiers: [{ name: 'credits', key: ({ user }) => user, algorithm: balance(), onStoreFailure: 'deny' }],
    });
    const credits = creditsOf(limiter);
    const known = { charged: 0, refunded: 0, unknownCharges: 0, unknownRefunds: 0 };
    const request = async (turn: number) => {
      const decision = await limiter.consume(ada, { cost: 2 });
      if (decision.reason === 'unavailable') known.unknownCharges += 2;
      if (!decision.allowed) return;
      known.charged += 2;
      if (turn % 3 > 0) return;
      const given = await limiter.refund(decision);
      known.refunded += given;
      known.unknownRefunds += 2 - given;
    };
    const end = Date.now() + 8_000;
    await untilAnswered(() => credits.credit(ada, 100, { id: 'bought' }));
    await untilAnswered(() => credits.credit(ada, 40, { id: 'given', expiresAt: end }));
    const open = await limiter.consume(ada, { cost: 10 });
    for (let turn = 0; turn < 8; turn += 1) await request(turn);
    await inStep(primary);
    const promotion = promotionOf(replicas);

    primary.process.kill('SIGKILL');
    await Promise.all(Array.from({ length: 5 }, (_, turn) => request(turn)));
    await promotion;
    await untilAnswered(() => Date.now() > end);
    const ends = endGrants(store);
    await untilAnswered(async () => (await ends.run()).problem === undefined);
    await ends.run();
    await untilAnswered(async () => (known.refunded += await limiter.refund(open)) > 0);
    for (let turn = 0; turn < 6; turn += 1) await request(turn);
    const postings = await untilAnswered(() => credits.postings(ada));
    await ends.close();

    const sumOf = (kind: string) => postings.reduce((sum, each) => (each.kind === kind ? sum + each.units : sum), 0);
    const kinds = postings.map(({ kind }) => kind).toSorted();
    const spent = 140 + sumOf('expiry') + sumOf('lost') - (await limiter.inspect(ada))[0]!.outcome.remaining;
    const excess = spent - (known.charged + 10 - known.refunded);
    expect(open.allowed).toBe(true);
    expect(kinds).toEqual(['credit', 'credit', 'expiry', 'lost']);
    // The request that was open has come back to a grant that had ended.
    expect(sumOf('lost')).toBeLessThanOrEqual(-10);
    expect(excess).toBeGreaterThanOrEqual(-known.unknownRefunds);
    expect(excess).toBeLessThanOrEqual(known.unknownCharges);
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
