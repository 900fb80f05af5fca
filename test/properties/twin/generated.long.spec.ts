import { withRedisStore } from '../../support/redis-store.js';
import { MADE } from './random-policy.js';
import { RedisTwin } from './redis-twin.js';
import { replay } from './replay.js';

/** `npm run tool -- twin` replays a million, in runs of 100 000. */
const CLAIMS = 50_000;

describe('scripts that are made for policies', () => {
  const redis = withRedisStore();

  it.each(MADE.map((algorithms) => ({ algorithms })))(
    'agree with TypeScript and the model: $algorithms',
    async ({ algorithms }) => {
      const twin = new RedisTwin(redis.client);
      const first = Math.floor(Math.random() * 2 ** 40);
      let claims = 0;
      let worlds = 0;

      const run = async () => {
        while (claims < CLAIMS) {
          worlds += 1;
          claims += await replay(twin, algorithms, first + worlds);
        }
      };
      await Promise.all([run(), run(), run(), run()]);

      expect(claims).toBeGreaterThanOrEqual(CLAIMS);
    },
    900_000,
  );
});
