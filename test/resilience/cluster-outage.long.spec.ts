import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { createLimiter, subscribe, type Store, type StoreError } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { slotsOf, type Slots } from '../redis/cluster/slots.js';
import { claim } from '../support/claim.js';
import { untilAnswered } from '../support/until.js';
import { wireTo } from '../support/wire.js';
import { startCluster, type RedisCluster } from '../support/cluster.js';
import type { RedisServer } from '../support/redis.js';
import { Journal } from './traffic/journal.js';
import { Lag } from './traffic/lag.js';
import { unitsAt } from './traffic/limiters.js';
import { promotionOf, loadScripts } from './faults/promotion.js';
import { command } from './faults/server-scene.js';
import { identityOn, limitersOnShard } from './faults/shard.js';
import { Traffic } from './traffic/traffic.js';
import { boundOf } from './faults/verdict.js';

/** A deadline for tests about servers and not about times. */
const LONG_MS = 1_000;
/** A primary that is silent for this long is replaced. */
const NODE_TIMEOUT_MS = 1_000;
/** Redis must decide again within this time after the promotion. */
const MAX_RECOVERY_MS = 3_000;

// One Cluster for all tests: each heals it, and the last one promotes a replica.
describe('redisStore on a Cluster of three primaries with a replica each', () => {
  let cluster: RedisCluster;
  let slots: Slots;
  let stores: Store[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ replicas: 1, args: ['--cluster-node-timeout', String(NODE_TIMEOUT_MS)] });
    slots = await slotsOf(cluster);
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });

  afterAll(async () => {
    slots.close();
    await cluster.stop();
  });

  const open = (...given: Parameters<typeof redisStore>) => {
    const store = redisStore(...given);
    stores.push(store);
    return store;
  };
  const own = (deadline: number) => open({ cluster: cluster.startupNodes }, { deadline });
  const onEveryNode = (act: (client: Redis) => Promise<unknown>) => Promise.all(cluster.nodes.map(command(act)));
  /** If so, a Cluster without one shard refuses every command. */
  const requireAllSlots = (required: 'yes' | 'no') =>
    onEveryNode((client) => client.config('SET', 'cluster-require-full-coverage', required));
  const setNodeTimeout = (milliseconds: number) =>
    onEveryNode((client) => client.config('SET', 'cluster-node-timeout', milliseconds));
  const [struck, others] = [1, [0, 2]];
  /** Traffic on the shard that will fail, and less of it on the others. */
  const trafficOn = async (store: Store) => {
    const on = async (primary: number, callers: number, pace: number) =>
      new Traffic(await limitersOnShard(store, slots, primary), { callers, pace });
    const there = await on(struck, 6, 2);
    const elsewhere = await Promise.all(others.map((primary) => on(primary, 1, 20)));
    const all = [there, ...elsewhere];
    await Promise.all(all.map((traffic) => traffic.next('redis')));
    return { there, elsewhere, stop: () => Promise.all(all.map((traffic) => traffic.stop())) };
  };
  const withoutRedis = ({ decidedBy: { local, allow, deny } }: Traffic) => local + allow + deny;
  const shard = () => [cluster.nodes[1]!, cluster.nodes[4]!];

  it('calls primaries alone, even with a client that reads from replicas', async () => {
    const client = new Cluster(cluster.startupNodes, { scaleReads: 'slave' });
    const store = open(client, { deadline: LONG_MS });
    const group = [claim({ tag: await slots.tagOn(0), record: 'a note' }), claim({ tag: await slots.tagOn(2) })];

    const { receipts } = await store.consume(group);
    await store.peek(group);
    await store.refund(receipts);
    await store.recorded(group[0]!.key);
    await store.reset(group.map(({ key }) => key));
    const calls = await Promise.all(cluster.nodes.map(({ port }) => scriptCalls(port)));
    client.disconnect();

    expect(calls.slice(0, 3).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
    // Replicas run no script, neither by themselves nor on behalf of their primary.
    expect(calls.slice(3)).toEqual([0, 0, 0]);
  });

  it('falls back for a request on two primaries when one is silent, in time, and keeps no charge', async () => {
    const [here, there] = await Promise.all([identityOn(slots, 0, 'here'), identityOn(slots, struck, 'there')]);
    const tiers = [
      { name: 'here', key: () => here, limit: 100, window: '1h' as const },
      { name: 'there', key: () => there, limit: 100, window: '1h' as const },
    ];
    const [limiter, patient] = [50, LONG_MS].map((deadline) => createLimiter<object>({ store: own(deadline), tiers }));
    const leftHere = async () => (await patient!.inspect({}, { tiers: ['here'] }))[0]!.outcome.remaining;
    await Promise.all([limiter!.consume({}), patient!.consume({})]);
    const before = await leftHere();

    // A busy machine may prolong the silence. Without a longer timeout a replica would then take over.
    await setNodeTimeout(60_000);
    cluster.nodes[struck]!.process.kill('SIGSTOP');
    const lag = new Lag();
    const begun = performance.now();
    const decision = await limiter!.consume({});
    const took = performance.now() - begun;
    await lag.stop();
    cluster.nodes[struck]!.process.kill('SIGCONT');
    await setNodeTimeout(NODE_TIMEOUT_MS);

    expect(decision).toMatchObject({ allowed: true, source: 'local', degraded: true });
    expect(took).toBeLessThan(boundOf({ lag: lag.worst }));
    await untilAnswered(async () => (await leftHere()) === before);
  });

  it('uses the other shards while one is down, without cluster-require-full-coverage', async () => {
    await requireAllSlots('no');
    const { there, elsewhere, stop } = await trafficOn(own(LONG_MS));
    const journal = new Journal();

    for (const { process } of shard()) process.kill('SIGKILL');
    await there.next('deny');
    await delay(1_000);
    await Promise.all(shard().map((server) => server.restart()));
    await there.next('redis');
    await stop();
    journal.stop();
    await cluster.healthy();

    expect(elsewhere.map(withoutRedis)).toEqual([0, 0]);
    expect(strangersTo(cluster.nodes[struck]!.port, journal)).toEqual([]);
  });

  it('falls back for every request while a shard is down, with cluster-require-full-coverage', async () => {
    await requireAllSlots('yes');
    const { there, elsewhere, stop } = await trafficOn(own(LONG_MS));
    const reasons = new Set<string>();
    const end = subscribe('sluice:degraded', ({ message }) => void reasons.add(message));

    for (const { process } of shard()) process.kill('SIGKILL');
    await Promise.all(elsewhere.map((traffic) => traffic.next('deny')));
    await Promise.all(shard().map((server) => server.restart()));
    await Promise.all([there, ...elsewhere].map((traffic) => traffic.next('redis')));
    await stop();
    end();
    await cluster.healthy();

    expect([...reasons]).toContainEqual(expect.stringContaining('CLUSTERDOWN'));
    expect([there, ...elsewhere].flatMap(({ rejections }) => rejections)).toEqual([]);
  });

  describe('whose primary is killed and replaced', () => {
    let recovery: number;
    let elsewhere: readonly Traffic[];
    let journal: Journal;
    const warnings: string[] = [];
    let unanswered: unknown;
    let counted: number;

    beforeAll(async () => {
      await requireAllSlots('no');
      const note = ({ name }: Error) => void warnings.push(name);
      process.on('warning', note);
      const [primary, replica] = shard();
      const traffic = await trafficOn(own(LONG_MS));
      ({ elsewhere } = traffic);
      const wire = await wireTo(primary!);
      const natMap = { [`127.0.0.1:${primary!.port}`]: { host: '127.0.0.1', port: wire.port } };
      const behind = open({ cluster: cluster.startupNodes, connection: { natMap } }, { deadline: 500 });
      const one = claim({ tag: await slots.tagOn(struck) });
      const countedBy = (server: RedisServer) => unitsAt(server, one.key);
      await loadScripts([replica!], one);
      await behind.consume([one]);
      journal = new Journal();

      wire.swallowReplies();
      const answer = Promise.resolve(behind.consume([one])).catch(({ code }: StoreError) => code);
      await untilAnswered(async () => (await countedBy(primary!)) === 2);
      await command((client) => client.wait(1, 1_000))(primary!);
      const promotion = promotionOf([replica!]);
      primary!.process.kill('SIGKILL');
      await traffic.there.next('deny');
      const { at } = await promotion;
      recovery = (await traffic.there.next('redis')) - at;
      await untilAnswered(async () => (await behind.consume([{ ...one, cost: 0 }])).source === 'redis');
      // A repeated command would have been sent by then.
      await delay(1_000);
      await traffic.stop();
      journal.stop();
      unanswered = await answer;
      counted = await countedBy(replica!);
      await wire.close();
      process.off('warning', note);
    });

    it('uses the replica within three seconds of its promotion', () => {
      expect(recovery).toBeLessThan(MAX_RECOVERY_MS);
    });

    it('uses the other primaries throughout', () => {
      expect(elsewhere.map(withoutRedis)).toEqual([0, 0]);
      expect(strangersTo(cluster.nodes[struck]!.port, journal)).toEqual([]);
    });

    it('counts a request once when its reply is lost with the primary', () => {
      expect(unanswered).toBe('STORE_UNAVAILABLE');
      expect(counted).toBe(2);
    });

    it('adds no listeners with each promotion', () => {
      expect(warnings).not.toContain('MaxListenersExceededWarning');
    });
  });
});

/** Servers that a breaker has opened for, and that had no part in it. */
function strangersTo(port: number, { breaker }: Journal): (string | undefined)[] {
  return breaker.map(({ primary }) => primary).filter((primary) => primary !== `127.0.0.1:${port}`);
}

/** The script calls of a server. */
async function scriptCalls(port: number): Promise<number> {
  const client = new Redis(port);
  const stats = await client.info('commandstats');
  client.disconnect();
  return [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}
