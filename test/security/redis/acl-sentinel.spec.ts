import { Redis } from 'ioredis';
import type { Duration } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { claim } from '../../support/claim.js';
import { startSentinel, type Sentinel } from '../../support/sentinel.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { acl, allowed, userOf } from './acl.js';
import { commandsRefused } from './command-log.js';
import { everythingOf } from './everything.js';

const NAME_AND_PASSWORD = { username: 'ratelimit', password: 'password' };

describe('the documented ACL user on a Sentinel', () => {
  let server: RedisServer;
  let sentinel: Sentinel;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis();
    sentinel = await startSentinel(server);
    const primary = new Redis(server.port);
    await primary.call('ACL', userOf(acl.server));
    primary.disconnect();
    admin = new Redis(sentinel.group.sentinels[0]!);
  });

  beforeEach(async () => {
    await admin.call('ACL', userOf(acl.sentinel));
  });

  afterAll(async () => {
    admin.disconnect();
    await sentinel.stop();
    await server.stop();
  });

  const connect = (deadline: Duration): RedisStore => {
    const connection = { ...NAME_AND_PASSWORD, sentinelUsername: 'ratelimit', sentinelPassword: 'password' };
    return redisStore({ ...sentinel.group, connection }, { deadline });
  };

  it('finds the primary', async () => {
    const store = connect('5s');

    await everythingOf(store);
    await store.close();

    expect(await commandsRefused([admin])).toEqual([]);
  });

  it.each(allowed(acl.sentinel).slice(1))('needs %s', async (permission) => {
    await admin.acl('SETUSER', 'ratelimit', `-${permission}`);
    const store = connect('1s');

    const answer = Promise.resolve(store.consume([claim()]));

    await expect(answer).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await store.close();
  });

  it.each([
    ['FAILOVER', ['primary']],
    ['REMOVE', ['primary']],
    ['RESET', ['*']],
    ['SET', ['primary', 'quorum', '2']],
  ])('may not use SENTINEL %s', async (subcommand, args) => {
    const client = new Redis({ ...sentinel.group.sentinels[0]!, ...NAME_AND_PASSWORD, enableReadyCheck: false });

    const answer: unknown = await client.call('SENTINEL', [subcommand, ...args]).catch((reason: unknown) => reason);
    client.disconnect();

    expect(answer).toMatchObject({ message: expect.stringContaining('NOPERM') });
  });
});
