import { withRedisStore } from '../../support/redis-store.js';
import { BalanceHistory } from './balance-history.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

/** Together a million steps. A busy machine fails a part, and not all of them. */
const PARTS = 10;
const STEPS = 100_000;
const STEPS_EACH = 500;
/** At the same time, so that they share round trips. */
const HISTORIES = 40;

describe('Lua, TypeScript and the BigInt model of balances, long', () => {
  const redis = withRedisStore();
  const first = Math.floor(Math.random() * 2 ** 40);

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    'agree on 100 000 steps, part %d',
    async (part) => {
      const twin = new RedisTwin(redis.client);
      let seed = first + part * (STEPS / STEPS_EACH);
      let steps = 0;
      const found: object[] = [];
      const replay = async () => {
        while (steps < STEPS && found.length === 0) {
          steps += STEPS_EACH;
          seed += 1;
          const own = seed;
          const history = new BalanceHistory(twin, new Random(own));
          for (let step = 0; step < STEPS_EACH; step += 1) await history.step();
          if (history.differences.length > 0) found.push({ seed: own, difference: history.differences[0] });
        }
      };

      await Promise.all(Array.from({ length: HISTORIES }, replay));

      expect(found).toEqual([]);
      expect(steps).toBeGreaterThanOrEqual(STEPS);
    },
    900_000,
  );
});
