import { createLimiter } from '@sluice/core';
import { withRedisStore } from '../../support/redis-store.js';
import { until } from '../../support/until.js';

describe('a Redis that refuses writes for a while', () => {
  const redis = withRedisStore();

  const refusedReleases = async () =>
    Number(/cmdstat_zrem:.*rejected_calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1] ?? 0);

  // Found by the simulation.
  it('hears later which permits have ended, also if it has refused to hear it twice', async () => {
    const tiers = [{ name: 'running', key: () => 'ada', algorithm: 'concurrency', limit: 1, hold: '1h' }] as const;
    const limiter = createLimiter({ store: redis.store, tiers, denyCache: false });
    const admitted = await limiter.consume({});

    await redis.client.config('SET', 'min-replicas-to-write', '1');
    await limiter.release(admitted);
    await until(async () => (await refusedReleases()) >= 2);
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    await until(async () => (await limiter.consume({})).allowed);

    expect(admitted.source).toBe('redis');
  });
});
