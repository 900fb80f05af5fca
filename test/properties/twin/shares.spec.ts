import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';
import { ShareHistory } from './share-history.js';

// `shares.long.spec.ts` replays more steps.
const seeds = [...Array.from({ length: 16 }, (_, index) => index + 1), oneMoreSeed()];

describe('Lua and TypeScript of shared limits in flight', () => {
  const redis = withRedisStore();

  it('agree on requests, ends and renewals of callers, and on what is stored after each', async () => {
    const histories = seeds.map((seed) => new ShareHistory(new RedisTwin(redis.client), new Random(seed)));

    for (let step = 0; step < 150; step += 1) await Promise.all(histories.map((history) => history.step()));

    const found = histories.flatMap(({ differences }, index) =>
      differences[0] ? [[seeds[index], differences[0]]] : [],
    );
    expect(found.map((each) => JSON.stringify(each))).toEqual([]);
    expect(histories.reduce((sum, { crowded }) => sum + crowded, 0)).toBeGreaterThan(20);
  });
});
