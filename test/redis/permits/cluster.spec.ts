import { createLimiter, type Limiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { patient } from '../../support/patient.js';
import { promotionOf } from '../../resilience/faults/promotion.js';
import { command } from '../../resilience/faults/server-scene.js';
import { identityOn } from '../../resilience/faults/shard.js';
import { startCluster, type RedisCluster } from '../../support/cluster.js';
import { untilAnswered } from '../../support/until.js';
import { slotsOf, type Slots } from '../cluster/slots.js';
import { storedUnits } from './crew.js';

const LIMIT = 3;

describe('concurrency tiers on a Cluster of three primaries with a replica each', () => {
  let cluster: RedisCluster;
  let slots: Slots;
  let store: RedisStore;
  /** Of another process. */
  let other: RedisStore;

  beforeAll(async () => {
    cluster = await startCluster({ replicas: 1 });
    slots = await slotsOf(cluster);
    store = redisStore({ cluster: cluster.startupNodes }, patient);
    other = redisStore({ cluster: cluster.startupNodes }, patient);
    await Promise.all([store.ready(), other.ready()]);
  });

  afterAll(async () => {
    await Promise.all([store.close(), other.close()]);
    slots.close();
    await cluster.stop();
  });

  const stored = async (places: readonly number[]) => {
    const counts = await Promise.all(places.map((place) => storedUnits(cluster.nodes[place]!)));
    return counts.reduce((sum, each) => sum + each, 0);
  };
  /** A limiter with two concurrency tiers and a rate, on a primary each. */
  const limiterOn = async (name: string, rate: number, on = store): Promise<Limiter<object>> => {
    const [here, there, elsewhere] = await Promise.all([0, 1, 2].map((place) => identityOn(slots, place, name)));
    return createLimiter<object>({
      store: on,
      denyCache: false,
      tiers: [
        { name: `${name}-here`, key: () => here!, algorithm: 'concurrency', limit: 2 * LIMIT },
        { name: `${name}-there`, key: () => there!, algorithm: 'concurrency', limit: LIMIT },
        { name: `${name}-rate`, key: () => elsewhere!, limit: rate, window: '1h' },
      ],
    });
  };

  it('hold nothing for a request that a rate on another primary denies', async () => {
    const limiter = await limiterOn('rated', 1);
    const admitted = await limiter.consume({});

    const denied = await Promise.all(Array.from({ length: 10 }, () => limiter.consume({})));
    const during = await stored([0, 1]);
    await limiter.release(admitted);

    expect(denied.every(({ deniedBy }) => deniedBy.includes('rated-rate'))).toBe(true);
    expect([during, await stored([0, 1])]).toEqual([2, 0]);
  });

  it('hold what runs, and nothing else, when many requests arrive at the same time', async () => {
    const limiter = await limiterOn('crowd', 1_000);

    const decisions = await Promise.all(Array.from({ length: 50 }, () => limiter.consume({})));
    const admitted = decisions.filter(({ allowed }) => allowed);
    const during = await stored([0, 1]);
    await Promise.all(admitted.map((decision) => limiter.release(decision)));

    // Denied requests hold a permit for a moment, and may deny others.
    expect(admitted.length).toBeGreaterThan(0);
    expect(admitted.length).toBeLessThanOrEqual(LIMIT);
    expect([during, await stored([0, 1])]).toEqual([2 * admitted.length, 0]);
  });

  it('count what a process gave while one primary refused, and the other primaries decide meanwhile', async () => {
    const [here, there] = await Promise.all([0, 1].map((place) => identityOn(slots, place, 'refused')));
    const limiter = createLimiter<{ id: string }>({
      store,
      denyCache: false,
      share: 1 / LIMIT,
      tiers: [{ name: 'refused', key: ({ id }) => id, algorithm: 'concurrency', limit: LIMIT }],
    });
    const take = (id: string) => limiter.consume({ id });
    const refuse = command((client) => client.acl('SETUSER', 'default', '-evalsha', '-eval'));
    const grant = command((client) => client.acl('SETUSER', 'default', '+evalsha', '+eval'));

    await refuse(cluster.nodes[1]!);
    const local = [await take(there!), await take(there!)];
    const elsewhere = [await take(here!), await take(there!), await take(here!)];
    await grant(cluster.nodes[1]!);
    const more = await untilAnswered(async () => {
      const decision = await take(there!);
      return decision.source === 'redis' && decision;
    });
    const rest = [await take(there!), await take(there!)];
    const during = await stored([1]);
    await Promise.all([...local, ...elsewhere, more, ...rest].map((decision) => limiter.release(decision)));

    expect(local.map(({ source, allowed }) => [source, allowed])).toEqual([
      ['local', true],
      ['local', false],
    ]);
    expect(elsewhere.map(({ source }) => source)).toEqual(['redis', 'local', 'redis']);
    expect([more, ...rest].map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect([during, await stored([0, 1])]).toEqual([LIMIT, 0]);
  });

  it('count what runs after the primary was replaced', async () => {
    const limiter = await limiterOn('moved', 1_000);
    const elsewhere = await limiterOn('moved', 1_000, other);
    const running = await Promise.all(Array.from({ length: LIMIT }, () => limiter.consume({})));
    const [primary, replica] = [cluster.nodes[1]!, cluster.nodes[4]!];
    await command((client) => client.wait(1, 1_000))(primary);

    const promotion = promotionOf([replica]);
    primary.process.kill('SIGKILL');
    await promotion;
    const { deniedBy } = await untilAnswered(async () => {
      const decision = await elsewhere.consume({});
      // What it gave out by itself would deny more than Redis does.
      if (decision.source !== 'redis') await elsewhere.release(decision);
      return decision.source === 'redis' && decision;
    });
    await Promise.all(running.map((decision) => limiter.release(decision)));

    expect(deniedBy).toEqual(['moved-there']);
    await untilAnswered(async () => (await stored([0, 4])) === 0);
  });
});
