import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { Fleet, fleetClient } from '../../packages/dashboard/src/fleet.js';
import { acl, userOf } from '../security/redis/acl.js';
import { commandsRefused } from '../security/redis/command-log.js';
import { startRedis, type RedisServer } from '../support/redis.js';

describe('A dashboard with fleet: true', () => {
  let server: RedisServer;
  let admin: Redis;
  let store: ReturnType<typeof redisStore>;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.port);
    await admin.call('ACL', userOf(acl.server));
    const connection = { username: 'ratelimit', password: 'password' };
    store = redisStore({ url: server.url, connection }, { deadline: '5s' });
    createLimiter({ store, name: 'all', key: () => 'all', limit: 5, window: '1m' });
    await store.ready();
  });

  afterAll(async () => {
    await store.close();
    admin.disconnect();
    await server.stop();
  });

  it('needs no right that a limiter does not have', async () => {
    const fleets = ['one', 'other'].map((id) => new Fleet(fleetClient(store)!, store, id));
    const beat = () => Promise.allSettled(fleets.map((fleet, index) => fleet.beat(true, () => `summary ${index}`)));

    await beat();
    const [one, other] = await beat();

    expect(await commandsRefused([admin])).toEqual([]);
    expect([one, other]).toMatchObject([{ value: ['summary 1'] }, { value: ['summary 0'] }]);
  });
});
