import { createApi } from '../../../examples/recipes/kubernetes.js';
import { startRedis, type RedisServer } from '../../support/redis.js';

const ada = { account: 'ada' };

describe('the recipe kubernetes', () => {
  let redis: RedisServer;
  let pods: ReturnType<typeof createApi>[];

  /** Two pods of each colour. */
  beforeEach(async () => {
    redis = await startRedis();
    pods = ['blue', 'blue', 'green', 'green'].map((COLOUR) =>
      createApi({ REDIS_URL: redis.url, REDIS_DEADLINE: '10s', MAX_PODS: '4', COLOUR }),
    );
    for (const { store } of pods) await store.ready();
  });

  afterEach(async () => {
    for (const { store } of pods) await store.close();
    await redis.stop();
  });

  const sendToAll = (each: number) =>
    Promise.all(pods.flatMap(({ limiter }) => Array.from({ length: each }, () => limiter.consume(ada))));

  it('gives a client one budget that sends to both colours at the same time', async () => {
    const decisions = await sendToAll(20);

    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
    expect(decisions.filter(({ degraded }) => degraded)).toEqual([]);
  });

  it('admits at most the limit and a unit for each further pod during an outage, whichever pods a client reaches', async () => {
    await redis.stop();

    const decisions = await sendToAll(20);

    const admitted = decisions.filter(({ allowed }) => allowed);
    expect(admitted.every(({ degraded }) => degraded)).toBe(true);
    expect(admitted).toHaveLength(12);
  });
});
