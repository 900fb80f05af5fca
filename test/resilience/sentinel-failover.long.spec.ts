import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createLimiter, type Store, type StoreError } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { root } from '../../scripts/root.mjs';
import { claim } from '../support/claim.js';
import { execute } from '../support/child.js';
import { wireTo } from '../support/wire.js';
import type { RedisServer } from '../support/redis.js';
import { startSentinelGroup, type SentinelGroup } from '../support/sentinel-group.js';
import { hitsOn, limitersOn, TIER, unitsAt } from './traffic/limiters.js';
import { untilAnswered } from '../support/until.js';
import { promotionOf, loadScripts } from './faults/promotion.js';
import { command } from './faults/server-scene.js';
import { Traffic } from './traffic/traffic.js';
import { boundOf } from './faults/verdict.js';

/** Redis must decide again within this time after the promotion. */
const MAX_RECOVERY_MS = 3_000;

describe('redisStore on a group with Sentinels', () => {
  let group: SentinelGroup;
  let primary: RedisServer;
  let replicas: readonly RedisServer[];
  let store: Store;

  beforeEach(async () => {
    group = await startSentinelGroup();
    [primary, ...replicas] = group.servers as [RedisServer, ...RedisServer[]];
    store = redisStore(group.group);
  });

  afterEach(async () => {
    await store.close();
    await group.stop();
  });

  const limiterOf = (limit: number) =>
    createLimiter<string>({
      store,
      name: `${TIER}deny`,
      algorithm: 'fixed-window',
      limit,
      window: '1h',
      key: (id) => id,
      onStoreFailure: 'deny',
    });
  /** Repeats a request until Redis decides it. */
  const decided = async (limiter: ReturnType<typeof limiterOf>, id: string) => {
    for (;;) {
      const decision = await limiter.consume(id);
      if (!decision.degraded) return decision;
      await delay(5);
    }
  };

  it('admits at most the limit and the writes that a failover loses', async () => {
    const limiter = limiterOf(100);
    const promotion = promotionOf(replicas);
    const take = async (count: number) => {
      let admitted = 0;
      for (let sent = 0; sent < count; sent += 1) admitted += Number((await decided(limiter, 'ada')).allowed);
      return admitted;
    };

    const before = await take(30);
    await inStep(primary);
    await command(loseReplicas)(primary);
    const lost = await take(40);
    primary.process.kill('SIGKILL');
    const { server } = await promotion;
    await group.set('down-after-milliseconds', 60_000);
    const kept = await hitsOn([server.port]);
    const after = await take(100);

    const writesLost = before + lost - kept;
    expect([before, lost]).toEqual([30, 40]);
    expect(writesLost).toBeGreaterThan(0);
    expect(before + lost + after).toBeLessThanOrEqual(100 + writesLost);
  });

  it('counts a request once when its reply is lost with the primary', async () => {
    const wire = await wireTo(primary);
    const natMap = { [`127.0.0.1:${primary.port}`]: { host: '127.0.0.1', port: wire.port } };
    const behind = redisStore({ ...group.group, connection: { natMap } }, { deadline: 500 });
    const one = claim();
    await loadScripts(replicas, one);
    await behind.consume([one]);

    wire.swallowReplies();
    const promotion = promotionOf(replicas);
    const unanswered = Promise.resolve(behind.consume([one])).catch(({ code }: StoreError) => code);
    await untilAnswered(async () => (await unitsAt(primary, one.key)) === 2);
    await inStep(primary);
    primary.process.kill('SIGKILL');
    await promotion;
    const { outcomes } = await untilAnswered(() => behind.consume([one]));
    await behind.close();
    await wire.close();

    expect(await unanswered).toBe('STORE_UNAVAILABLE');
    // The first, the one without a reply, and this one.
    expect(outcomes[0]!.remaining).toBe(10 - 3);
  });

  it('leaves a frozen primary, also after it wakes up', async () => {
    const traffic = new Traffic(limitersOn(store));
    await traffic.next('redis');

    const promotion = promotionOf(replicas);
    primary.process.kill('SIGSTOP');
    const { server, at } = await promotion;
    const recovered = await traffic.next('redis');
    const counted = await hitsOn([server.port]);
    const { admitted } = traffic;
    primary.process.kill('SIGCONT');
    await delay(1_500);
    await traffic.stop();

    expect(recovered - at).toBeLessThan(MAX_RECOVERY_MS);
    expect(traffic.longest).toBeLessThan(boundOf(traffic));
    expect(traffic.rejections).toEqual([]);
    // All that was admitted since then is on the server that has taken over.
    expect(await hitsOn([server.port])).toBeGreaterThanOrEqual(counted + traffic.admitted - admitted - 12);
  });

  it('leaves a primary that was replaced before it knows', async () => {
    const limiter = limiterOf(1_000_000);
    const promotion = promotionOf(replicas);
    await decided(limiter, 'ada');

    await group.failover();
    const { server, at } = await promotion;
    const before = await hitsOn([server.port]);
    do await decided(limiter, 'ada');
    while ((await hitsOn([server.port])) === before);

    expect(performance.now() - at).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('finds the new primary when one Sentinel never replies', async () => {
    const limiter = limiterOf(1_000_000);
    await decided(limiter, 'ada');
    const silent = group.sentinels[1]!;

    const promotion = promotionOf(replicas);
    silent.process.kill('SIGSTOP');
    primary.process.kill('SIGKILL');
    const { at } = await promotion;
    await decided(limiter, 'ada');

    // The store waits for a silent Sentinel for a second.
    expect(performance.now() - at).toBeLessThan(MAX_RECOVERY_MS + 1_000);
  });

  it('prints nothing about dead Sentinels, uses the others, and does not keep the process alive', async () => {
    const program = `
      import { createLimiter } from '@sluice/core';
      import { redisStore } from '@sluice/redis';
      const store = redisStore(${JSON.stringify(group.group)}, { deadline: 2_000 });
      const limiter = createLimiter({ store, limit: 10, window: '1h', name: 'hour', key: (id) => id });
      const { source } = await limiter.consume('ada');
      // Time to find out that one of them is gone.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await store.close();
      console.log(source);
    `;
    await group.sentinels[0]!.stop();

    const printed = await execute(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: join(root, 'test'),
      timeout: 15_000,
    });

    expect(printed).toEqual({ stdout: 'redis\n', stderr: '' });
  });

  it('closes its connections to servers and Sentinels', async () => {
    const limiter = limiterOf(10);
    await decided(limiter, 'ada');
    const servers = [primary, ...group.sentinels];
    const before = await Promise.all(servers.map(connections));

    await store.close();
    await delay(50);

    const after = await Promise.all(servers.map(connections));
    expect(before.map((count, index) => count - after[index]!)).toEqual([1, 1, 1, 1]);
  });
});

/** Until its replicas have all that it has written. */
const inStep = command((client) => client.wait(2, 1_000));

/** Its replicas go, and cannot come back. */
async function loseReplicas(client: Redis): Promise<void> {
  await client.config('SET', 'requirepass', 'unknown to replicas');
  await client.call('CLIENT', 'KILL', 'TYPE', 'replica');
}

/** Those of the store: it names the one to the primary, and listens to Sentinels by the others. */
async function connections({ port }: { readonly port: number }): Promise<number> {
  const client = new Redis(port);
  const list = String(await client.client('LIST'));
  client.disconnect();
  return list.split('\n').filter((line) => /name=ratelimit|cmd=subscribe/.test(line)).length;
}
