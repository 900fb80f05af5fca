import { withRedisStore } from '../../support/redis-store.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';
import { ShareHistory } from './share-history.js';

const WORLDS = 400;
const STEPS = 300;

describe('Lua and TypeScript of shared limits in flight', () => {
  const redis = withRedisStore();

  it('agree on 100 000 claims of random worlds', async () => {
    const first = Math.floor(Math.random() * 2 ** 40);
    const twin = new RedisTwin(redis.client);
    const found: string[] = [];
    let claims = 0;
    for (let world = 0; world < WORLDS; world += 8) {
      const histories = Array.from(
        { length: 8 },
        (_, place) => new ShareHistory(twin, new Random(first + world + place)),
      );
      for (let step = 0; step < STEPS; step += 1) await Promise.all(histories.map((history) => history.step()));
      for (const [place, { differences }] of histories.entries()) {
        if (differences[0]) found.push(JSON.stringify([first + world + place, differences[0]]));
      }
      claims += histories.reduce((sum, each) => sum + each.claims, 0);
    }

    expect(found).toEqual([]);
    expect(claims).toBeGreaterThan(100_000);
  }, 300_000);
});
