import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { RedisTwin } from './redis-twin.js';
import { ALGORITHMS } from './random-policy.js';
import { replay } from './replay.js';

// One seed more than the fixed ones, which SLUICE_SEEDS=random chooses. `npm run tool -- twin` replays a million steps.
const seeds = [...Array.from({ length: 4 }, (_, index) => index + 1), oneMoreSeed()];
/** Those of long runs that have found a difference. */
const FOUND = [['sliding-window', 243_149_259_113]] as const;

describe('Lua, TypeScript and the BigInt model', () => {
  const redis = withRedisStore();

  it.each(ALGORITHMS)('agree on every number of %s', async (algorithm) => {
    const twin = new RedisTwin(redis.client);

    const claims = await Promise.all(seeds.map((seed) => replay(twin, [algorithm], seed)));

    expect(Math.min(...claims)).toBeGreaterThan(0);
  });

  it.each(['fixed-window', 'sliding-window', 'token-bucket'] as const)(
    'agree on groups of %s and permits',
    async (rate) => {
      const twin = new RedisTwin(redis.client);

      const claims = await Promise.all(seeds.map((seed) => replay(twin, [rate, 'concurrency'], seed)));

      expect(Math.min(...claims)).toBeGreaterThan(0);
    },
  );

  it('agree on groups of several algorithms', async () => {
    const twin = new RedisTwin(redis.client);

    const claims = await Promise.all(seeds.map((seed) => replay(twin, ALGORITHMS, seed)));

    expect(Math.min(...claims)).toBeGreaterThan(0);
  });

  it.each(FOUND)('agree again where they did not: %s with the seed %d', async (algorithm, seed) => {
    expect(await replay(new RedisTwin(redis.client), [algorithm], seed)).toBeGreaterThan(0);
  });
});
