import { createLimiter } from '@sluice/core';
import { redisStore, type NodeRedisClient, type RedisClient, type RedisStore } from '@sluice/redis';
import { redisPolicies } from '@sluice/policies';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { sluice, withConfig } from '../cli/sluice.js';
import { Redis as Redis5 } from '../support/ioredis-5.js';
import { Redis as Iovalkey } from '../support/iovalkey.js';
import { patient } from '../support/patient.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { startSentinel, type Sentinel } from '../support/sentinel.js';

const SETTINGS = { enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: 2_000 };
const MISSING =
  'DB_INDEX database 77 does not exist on this server (16): write 0 to 15, or raise databases in redis.conf';

let server: RedisServer;
let sentinel: Sentinel;
let admin: Redis;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startRedis();
  sentinel = await startSentinel(server);
  admin = new Redis(server.port);
});

beforeEach(async () => {
  await admin.flushall();
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  jest.restoreAllMocks();
});

afterAll(async () => {
  admin.disconnect();
  await sentinel.stop();
  await server.stop();
});

type ClientClass = new (settings: object) => RedisClient & {
  on(event: string, listener: () => void): unknown;
  disconnect(): void;
};

/** A client of the application. */
function clientOn(Client: ClientClass, db: number): RedisClient {
  const client = new Client({ port: server.port, db, ...SETTINGS });
  client.on('error', () => undefined);
  ends.push(() => client.disconnect());
  return client;
}

function nodeRedis(database: number): NodeRedisClient {
  const client = createClient({ url: `redis://127.0.0.1:${server.port}/${database}`, disableOfflineQueue: true });
  client.on('error', () => undefined);
  void client.connect().catch(() => undefined);
  ends.push(() => client.destroy());
  return client;
}

const STORES: readonly [string, (db: number) => RedisStore, string][] = [
  ['a URL', (db) => redisStore({ url: `${server.url}/${db}` }, patient), MISSING],
  ['a connection', (db) => redisStore({ url: server.url, connection: { db } }, patient), MISSING],
  ['Sentinels', (db) => redisStore({ ...sentinel.group, connection: { db } }, patient), MISSING],
  ['a client of ioredis', (db) => redisStore(clientOn(Redis, db), patient), MISSING],
  ['a client of ioredis 5', (db) => redisStore(clientOn(Redis5, db), patient), MISSING],
  ['a client of iovalkey', (db) => redisStore(clientOn(Iovalkey, db), patient), MISSING],
  ['a client of node-redis', (db) => redisStore(nodeRedis(db), patient), 'DB_INDEX database 77 does not exist'],
];

function storeOn(open: (db: number) => RedisStore, db: number): RedisStore {
  const store = open(db);
  ends.push(() => store.close());
  return store;
}

const limiterOn = (store: RedisStore) =>
  createLimiter({ store, key: () => 'ada', name: 'minute', limit: 5, window: '1m' });

describe.each(STORES)('redisStore with %s', (_name, open, message) => {
  it('names a database that the server does not have, and counts in no other one', async () => {
    const store = storeOn(open, 77);
    const limiter = limiterOn(store);

    const [ready, ...decisions] = await Promise.all([
      store.ready().catch((error: Error) => error.message),
      limiter.consume({}),
      limiter.consume({}),
    ]);
    const later = await limiter.consume({});

    expect(ready).toContain(`Redis cannot be reached: ${message}`);
    expect([...decisions, later].map(({ degraded }) => degraded)).toEqual([true, true, true]);
    expect(await admin.dbsize()).toBe(0);
  });

  it('counts in a database that the server has', async () => {
    const store = storeOn(open, 7);
    await store.ready();

    const decision = await limiterOn(store).consume({});

    expect(decision.source).toBe('redis');
    expect(await admin.info('keyspace')).toMatch(/^db7:/m);
    expect(await admin.dbsize()).toBe(0);
  });
});

describe('redisStore with a database', () => {
  it('is examined on a client that is ready already', async () => {
    const client = clientOn(Redis, 77) as Redis;
    await new Promise((resolve) => client.once('ready', resolve));
    const store = storeOn(() => redisStore(client, patient), 77);

    const decision = await limiterOn(store).consume({});

    expect(decision.degraded).toBe(true);
    expect(await admin.dbsize()).toBe(0);
  });

  it('leaves a client in the database that the application has selected', async () => {
    const client = clientOn(Redis, 3) as Redis;
    await new Promise((resolve) => client.once('ready', resolve));
    await client.select(5);
    const store = storeOn(() => redisStore(client, patient), 5);
    await store.ready();

    await limiterOn(store).consume({});

    expect(await admin.info('keyspace')).toMatch(/^db5:/m);
    expect(await admin.info('keyspace')).not.toMatch(/^db3:/m);
  });

  it('names the right that a user lacks to select it', async () => {
    await admin.acl('SETUSER', 'few', 'on', '>hunter2', '~*', '+@all', '-select');
    const url = `redis://few:hunter2@127.0.0.1:${server.port}/3`;
    const store = storeOn(() => redisStore({ url }, patient), 3);

    const ready = await store.ready().catch((error: Error) => error.message);

    expect(ready).toContain('DB_INDEX the user may not select database 3: redis-cli ACL SETUSER few +select');
    expect(await admin.dbsize()).toBe(0);
  });

  it('says what the server replied where the user may not ask for the number of databases', async () => {
    await admin.acl('SETUSER', 'few', 'on', '>hunter2', '~*', '+@all', '-config');
    const url = `redis://few:hunter2@127.0.0.1:${server.port}/77`;
    const store = storeOn(() => redisStore({ url }, patient), 77);

    const ready = await store.ready().catch((error: Error) => error.message);

    expect(ready).toContain('DB_INDEX database 77 does not exist on this server: ERR DB index is out of range. Write');
  });

  it('is not read by policies in Redis', async () => {
    const store = storeOn(() => redisStore({ url: `${server.url}/77` }, patient), 77);
    await store.ready().catch(() => undefined);

    await expect(redisPolicies(store).read()).rejects.toThrow(MISSING);
  });
});

describe('sluice', () => {
  it.each(['doctor', 'keys'])('%s names a database that the server does not have', async (command) => {
    const byUrl = await sluice([command], { env: { SLUICE_REDIS_URL: `${server.url}/77` } });
    const byStore = await withConfig(`export const store = redisStore({ url: '${server.url}/77' });`, (file) =>
      sluice([command, '--json', '--config', file]),
    );

    for (const { code, stderr } of [byUrl, byStore]) {
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(MISSING) });
    }
  });
});
