import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { LineHistory } from './line-history.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

// `npm run tool -- twin --only line` replays a million steps.
const seeds = [...Array.from({ length: 14 }, (_, index) => index + 1), oneMoreSeed()];
/** Those of long runs that have found a difference. */
const FOUND = [747_898_369_033, 493_586_863_972, 867_268_565_354];

describe('Lua and TypeScript of lines', () => {
  const redis = withRedisStore();

  it('agree on what each request is told, and on the end of the line that is stored after each', async () => {
    const histories = seeds.map((seed) => new LineHistory(new RedisTwin(redis.client), new Random(seed)));

    for (let step = 0; step < 30; step += 1) await Promise.all(histories.map((history) => history.step()));

    const found = histories.flatMap(({ differences }, index) =>
      differences[0] ? [[seeds[index], differences[0]]] : [],
    );
    expect(found.map((each) => JSON.stringify(each))).toEqual([]);
    expect(histories.reduce((sum, { told }) => sum + told, 0)).toBeGreaterThan(1_000);
    expect(histories.reduce((sum, { beganAgain }) => sum + beganAgain, 0)).toBeGreaterThan(20);
  });

  it.each(FOUND)('agree again where they did not, with the seed %d', async (seed) => {
    const history = new LineHistory(new RedisTwin(redis.client), new Random(seed));

    for (let step = 0; step < 60; step += 1) await history.step();

    expect(history.differences).toEqual([]);
  });
});
