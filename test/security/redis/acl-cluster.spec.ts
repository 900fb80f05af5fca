import { Redis } from 'ioredis';
import { redisStore } from '@sluice/redis';
import { slotsOf, type Slots } from '../../redis/cluster/slots.js';
import { claim } from '../../support/claim.js';
import { startCluster, type RedisCluster } from '../../support/cluster.js';
import { acl, allowed, userOf } from './acl.js';
import { commandsCalled, commandsRefused } from './command-log.js';
import { everythingOf } from './everything.js';

describe('the documented ACL user on a Cluster', () => {
  let cluster: RedisCluster;
  let slots: Slots;
  let admins: Redis[];

  beforeAll(async () => {
    cluster = await startCluster();
    slots = await slotsOf(cluster);
    admins = cluster.nodes.map(({ port }) => new Redis(port));
    for (const admin of admins) {
      await admin.call('ACL', userOf(acl.cluster));
      await admin.config('RESETSTAT');
    }
  });

  afterAll(async () => {
    for (const admin of admins) admin.disconnect();
    slots.close();
    await cluster.stop();
  });

  it('has the rights that a store needs, also while slots move, and no more', async () => {
    const connection = { username: 'ratelimit', password: 'password' };
    const store = redisStore({ cluster: cluster.startupNodes, connection }, { deadline: '5s' });
    const tag = await slots.tagOn(0);

    await everythingOf(store);
    await slots.move(tag, 1, async () => void (await store.consume([claim({ tag })])));
    await store.close();

    expect(await commandsRefused(admins)).toEqual([]);
    expect(await commandsCalled(admins)).toEqual(allowed(acl.cluster).toSorted());
  });
});
