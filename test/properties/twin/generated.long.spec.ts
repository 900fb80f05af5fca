import { withRedisStore } from '../../support/redis-store.js';
import type { AlgorithmName } from '../../../packages/core/src/model/policy.js';
import { RedisTwin } from './redis-twin.js';
import { replay } from './replay.js';

const CLAIMS = 1_000_000;

// Groups of these policies have scripts of their own. `npm run twin` replays as many claims of every algorithm.
describe('scripts that are made for policies', () => {
  const redis = withRedisStore();

  it.each<[AlgorithmName[]]>([
    [['fixed-window']],
    [['sliding-window']],
    [['token-bucket']],
    [['fixed-window', 'concurrency']],
    [['sliding-window', 'concurrency']],
    [['token-bucket', 'concurrency']],
    [['sliding-window', 'fixed-window', 'token-bucket']],
    [['concurrency', 'sliding-window', 'fixed-window', 'token-bucket']],
  ])(
    'agree with TypeScript and the model in a million claims: %j',
    async (algorithms) => {
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
    3_600_000,
  );
});
