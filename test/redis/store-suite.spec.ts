import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { storeSuite, type StoreSuiteRunner } from '@sluice/testing';
import { redisStore } from '@sluice/redis';
import { withCluster } from '../support/cluster.js';
import { withRedis } from '../support/redis-store.js';
import { startSentinel, type Sentinel } from '../support/sentinel.js';
import { patient } from '../support/patient.js';

/** Every algorithm runs over the newest client, over a Cluster, and over a client whose replies have other numbers. */
const runner: StoreSuiteRunner = { describe, it };
/** Where replies come in another form: the parts that read them in forms of their own. */
const replies = only(
  /^(a tier with (fixed-window|sliding-window|sliding-window-log|token-bucket)|consume|permits|close)$/,
);
/** Where calls go another way: the parts that make each kind of call. */
const calls = only(/^(consume|permits|recorded texts|keys|close)$/);
/** Where each store opens connections: one kind of each call. */
const connections = only(/^(keys|close)$/);

function only(parts: RegExp): StoreSuiteRunner {
  return {
    describe: (name, define) => {
      if (parts.test(name)) runner.describe(name, define);
    },
    it,
  };
}

describe('redisStore', () => {
  const redis = withRedis();

  describe.each([
    ['ioredis 6', () => new Redis(redis.server.port), runner],
    ['ioredis 5.11', () => new Redis5(redis.server.port), replies],
    ['ioredis 6 with RESP2', () => new Redis(redis.server.port, { protocol: 2 }), replies],
    ['a client that gives numbers as strings', () => new Redis(redis.server.port, { stringNumbers: true }), runner],
    ['a client with a prefix', () => new Redis(redis.server.port, { keyPrefix: 'app:' }), calls],
    ['a client that pipelines by itself', () => new Redis(redis.server.port, { enableAutoPipelining: true }), calls],
  ])('over %s', (_name, connect, parts) => {
    let client: Redis | Redis5;

    beforeAll(() => {
      client = connect();
    });

    afterAll(() => client.disconnect());

    storeSuite(parts, () => redisStore(client, patient));
  });

  describe('over its own client', () => {
    storeSuite(connections, () => redisStore({ url: redis.server.url }, patient));
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
      storeSuite(calls, () => redisStore(client, patient));
    });

    describe('with its own client', () => {
      storeSuite(connections, () => redisStore(sentinel.group, patient));
    });
  });

  describe('over a Cluster', () => {
    const opened = withCluster();

    describe('with a client of the caller', () => {
      storeSuite(runner, () => redisStore(opened.client, patient));
    });

    describe('with its own client', () => {
      storeSuite(connections, () => redisStore({ cluster: opened.cluster.startupNodes }, patient));
    });
  });
});
