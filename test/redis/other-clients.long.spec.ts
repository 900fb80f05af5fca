import { createLimiter } from '@sluice/core';
import { clientOf, redisStore, type RedisStore } from '@sluice/redis';
import { storeSuite } from '@sluice/testing';
import { GlideClient, GlideClusterClient } from '@valkey/valkey-glide';
import { Redis as Valkey } from 'iovalkey';
import { createClient, createCluster } from 'redis';
import { patient } from '../support/patient.js';
import { withCluster } from '../support/cluster.js';
import { withRedis } from '../support/redis-store.js';
import { startRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const runner = { describe, it };

describe('redisStore', () => {
  const redis = withRedis();
  const nodeRedis = async (url = redis.server.url) => {
    const client = createClient({ url, disableOfflineQueue: true });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  describe('over node-redis', () => {
    let client: Awaited<ReturnType<typeof nodeRedis>>;
    beforeAll(async () => (client = await nodeRedis()));
    afterAll(() => client.destroy());

    storeSuite(runner, () => redisStore(client, patient));

    it('shares batches with other stores on the client', async () => {
      const [one, other] = [redisStore(client, patient), redisStore(client, patient)];
      const limiters = [one, other].map((store) =>
        createLimiter<string>({ store, name: 'shared', key: (subject) => subject, limit: 100, window: '1h' }),
      );

      const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info('commandstats'))![1]);
      await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 10 }, () => limiter.consume('ada'))));
      const after = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info('commandstats'))![1]);

      expect((await limiters[0]!.peek('ada')).binding?.remaining).toBe(80);
      expect(after - calls).toBeLessThan(15);
    });
  });

  describe('over iovalkey', () => {
    let client: Valkey;
    beforeAll(() => (client = new Valkey(redis.server.port)));
    afterAll(() => client.disconnect());

    storeSuite(runner, () => redisStore(client, patient));
  });

  describe('over a function that sends commands', () => {
    storeSuite(runner, () => {
      const send = (command: readonly string[]) => redis.client.call(command[0]!, ...command.slice(1));
      return redisStore(clientOf({ send }), patient);
    });
  });

  describe('over GLIDE, by its customCommand', () => {
    let glide: GlideClient;
    beforeAll(async () => {
      glide = await GlideClient.createClient({ addresses: [{ host: '127.0.0.1', port: redis.server.port }] });
    });
    afterAll(() => glide.close());

    storeSuite(runner, () => redisStore(clientOf({ send: sendBy(glide) }), patient));
  });

  it('decides alone while the server of node-redis is away, and asks it again when it is back', async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
    const server = await startRedis();
    const client = await nodeRedis(server.url);
    const store: RedisStore = redisStore(client, { deadline: '500ms' });
    const limiter = createLimiter<string>({ store, name: 'away', key: (subject) => subject, limit: 9, window: '1h' });
    const before = await limiter.consume('ada');

    server.process.kill('SIGKILL');
    await until(() => !client.isReady);
    const away = await limiter.consume('ada');
    await server.restart();
    await until(async () => (await limiter.consume('ada')).source === 'redis');
    await store.close();
    client.destroy();
    await server.stop();
    jest.restoreAllMocks();

    expect([before, away].map(({ allowed, source, degraded }) => [allowed, source, degraded])).toEqual([
      [true, 'redis', false],
      [true, 'local', true],
    ]);
  });
});

describe('redisStore on a Cluster, over node-redis', () => {
  const opened = withCluster();
  let client: ReturnType<typeof createCluster>;
  beforeAll(async () => {
    client = createCluster({ rootNodes: opened.cluster.nodes.map(({ url }) => ({ url })) });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterAll(() => client.destroy());

  storeSuite(runner, () => redisStore(client, patient));
});

describe('redisStore on a Cluster, over GLIDE', () => {
  const opened = withCluster();
  let glide: GlideClusterClient;
  beforeAll(async () => {
    const addresses = opened.cluster.nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
    glide = await GlideClusterClient.createClient({ addresses });
  });
  afterAll(() => glide.close());

  storeSuite(runner, () => redisStore(clientOf({ send: sendBy(glide), isCluster: true }), patient));
});

/** As the guide has it. Jest runs specs in a realm of its own, and arrays of an addon are not of it. */
function sendBy(glide: GlideClient | GlideClusterClient) {
  return async (command: readonly string[]) => ofThisRealm(await glide.customCommand([...command]));
}

function ofThisRealm(reply: unknown): unknown {
  return Array.isArray(reply) ? Array.from(reply, ofThisRealm) : reply;
}
