import { createLimiter } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { startTraces } from '@sluice/opentelemetry';
import { patient } from '../support/patient.js';
import { startCluster, type RedisCluster } from '../support/cluster.js';
import { startTracing, type Tracing } from './tracing.js';

describe('startTraces on a Cluster', () => {
  let cluster: RedisCluster;
  let store: RedisStore;
  let tracing: Tracing;
  let stop: () => void;

  beforeAll(async () => {
    cluster = await startCluster();
    store = redisStore({ cluster: cluster.startupNodes }, patient);
    await store.ready();
    tracing = startTracing();
    stop = startTraces();
  });

  afterAll(async () => {
    stop();
    await tracing.stop();
    await store.close();
    await cluster.stop();
  });

  it('names the primary of each call, and makes all calls of a request its children', async () => {
    const limiter = createLimiter<{ user: string }>({
      store,
      tiers: [
        { name: 'hour', key: ({ user }) => user, limit: 1, window: '1h' },
        // Its call follows those of the other tiers.
        {
          name: 'mail',
          key: ({ user }) => `mail of ${user}`,
          algorithm: 'leaky-bucket',
          limit: 9,
          window: '1s',
          queue: 9,
        },
      ],
    });

    const decisions = await Promise.all(
      Array.from({ length: 30 }, (_, user) =>
        tracing.request(`GET ${user}`, () => limiter.consume({ user: `user-${user}` })),
      ),
    );

    const ids = tracing.calls().map(({ parentSpanContext }) => parentSpanContext?.spanId);
    const calls = tracing
      .spans()
      .filter(({ name }) => name.startsWith('GET'))
      .map((request) => ids.filter((id) => id === request.spanContext().spanId).length);
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    expect(calls).toEqual(Array<number>(30).fill(2));
    const ports = new Set(tracing.calls().map(({ attributes }) => attributes['server.port']));
    expect(ports).toEqual(new Set(cluster.nodes.map(({ port }) => port)));
    for (const { attributes } of tracing.calls()) expect(attributes['server.address']).toBe('127.0.0.1');
  });
});
