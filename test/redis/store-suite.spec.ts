import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { storeSuite } from '@sluice/core/testing';
import { redisStore } from '@sluice/core/redis';
import { withCluster } from '../support/cluster.js';
import { withRedis } from '../support/redis-store.js';
import { startSentinel, type Sentinel } from '../support/sentinel.js';
import { patient } from '../../packages/core/src/testing/internal/patient.js';

const runner = { describe, it };

describe('redisStore', () => {
  const redis = withRedis();

  describe.each([
    ['ioredis 6', () => new Redis(redis.server.port)],
    ['ioredis 5.11', () => new Redis5(redis.server.port)],
    ['ioredis 6 with RESP2', () => new Redis(redis.server.port, { protocol: 2 })],
    ['a client that gives numbers as strings', () => new Redis(redis.server.port, { stringNumbers: true })],
    ['a client with a prefix', () => new Redis(redis.server.port, { keyPrefix: 'app:' })],
    ['a client that pipelines by itself', () => new Redis(redis.server.port, { enableAutoPipelining: true })],
  ])('over %s', (_name, connect) => {
    let client: Redis | Redis5;

    beforeAll(() => {
      client = connect();
    });

    afterAll(() => client.disconnect());

    storeSuite(runner, () => redisStore(client, patient));
  });

  describe('over its own client', () => {
    storeSuite(runner, () => redisStore({ url: redis.server.url }, patient));
  });

  describe('over Sentinel', () => {
    let sentinel: Sentinel;
    let client: Redis;

    beforeAll(async () => {
      sentinel = await startSentinel(redis.server);
      client = new Redis({ ...sentinel.group });
    });

    afterAll(async () => {
      client.disconnect();
      await sentinel.stop();
    });

    describe('with a client of the caller', () => {
      storeSuite(runner, () => redisStore(client, patient));
    });

    describe('with its own client', () => {
      storeSuite(runner, () => redisStore(sentinel.group, patient));
    });
  });

  describe('over a Cluster', () => {
    const opened = withCluster();

    describe('with a client of the caller', () => {
      storeSuite(runner, () => redisStore(opened.client, patient));
    });

    describe('with its own client', () => {
      storeSuite(runner, () => redisStore({ cluster: opened.cluster.startupNodes }, patient));
    });
  });
});
