import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { exportUsage, usage, type UsageRow } from '@sluice/quotas';
import { startSentinelGroup, type SentinelGroup } from '../../support/sentinel-group.js';
import { ageUsage } from '../../support/age-usage.js';
import type { RedisServer } from '../../support/redis.js';
import { untilAnswered } from '../../support/until.js';
import { promotionOf } from '../faults/promotion.js';
import { command } from '../faults/server-scene.js';
import { Oracle } from './oracle.js';

const TIER = 'day';
const USERS = Array.from({ length: 60 }, (_, index) => `user-${index}`);

const age = command(ageUsage);

/** Until its replicas have all that it has written. */
const inStep = command((client) => client.wait(2, 1_000));

/** Its replicas get nothing more. */
const loseReplicas = command(async (client) => {
  await client.config('SET', 'requirepass', 'unknown to replicas');
  await client.call('CLIENT', 'KILL', 'TYPE', 'replica');
});

const kill = (server: RedisServer) => void server.process.kill('SIGKILL');

describe('exportUsage on a group with Sentinels', () => {
  let group: SentinelGroup;

  beforeEach(async () => {
    group = await startSentinelGroup();
  });

  afterEach(() => group.stop());

  it.each<[string, (primary: RedisServer) => unknown, (primary: RedisServer) => unknown]>([
    ['dies while the sink stores a batch', kill, () => undefined],
    ['dies with marks that no replica has', loseReplicas, kill],
  ])('bills each unit once when the primary %s', async (_what, inSink, behind) => {
    const [primary, ...replicas] = group.servers as [RedisServer, ...RedisServer[]];
    const store = redisStore(group.group, { deadline: '1s' });
    const limiter = createLimiter<string>({
      store,
      tiers: [{ name: TIER, key: (user) => user, algorithm: 'fixed-window', limit: 1e9, window: '1d', usage: usage() }],
    });
    const oracle = new Oracle(store, limiter, TIER);
    const rows = new Map<string, UsageRow>();
    let batches = 0;
    const billing = exportUsage(store, {
      async sink(batch) {
        batches += 1;
        for (const row of batch) if ((rows.get(row.id)?.revision ?? 0) <= row.revision) rows.set(row.id, row);
        if (batches === 1) await inSink(primary);
      },
    });
    await store.ready();
    await oracle.charge(USERS);
    await age(primary);
    await inStep(primary);
    const promotion = promotionOf(replicas);

    const first = await billing.run();
    await behind(primary);
    await promotion;
    await untilAnswered(async () => !(await limiter.peek('ada')).degraded);
    await untilAnswered(async () => (await billing.run()).problem === undefined);

    const billed = new Map<string, number>();
    for (const { digest, units } of rows.values()) billed.set(digest, (billed.get(digest) ?? 0) + units);
    expect(billed).toEqual(oracle.units);
    expect([first.problem === undefined, batches]).toEqual([inSink !== kill, 2]);
    await billing.close();
    await store.close();
  });
});
