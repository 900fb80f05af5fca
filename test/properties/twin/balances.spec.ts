import { withRedisStore } from '../../support/redis-store.js';
import { oneMoreSeed } from '../../support/seeds.js';
import { BalanceHistory } from './balance-history.js';
import { Random } from './random.js';
import { RedisTwin } from './redis-twin.js';

// `balances.long.spec.ts` replays a million steps.
const seeds = [...Array.from({ length: 6 }, (_, index) => index + 1), oneMoreSeed()];

describe('Lua, TypeScript and the BigInt model of balances', () => {
  const redis = withRedisStore();

  it('agree on requests, credits, refunds and reconciliations', async () => {
    const histories = seeds.map((seed) => new BalanceHistory(new RedisTwin(redis.client), new Random(seed)));

    const run = async (history: BalanceHistory) => {
      for (let step = 0; step < 150; step += 1) await history.step();
    };
    await Promise.all(histories.map(run));

    const found = histories.flatMap(({ differences }, index) =>
      differences[0] ? [[seeds[index], differences[0]]] : [],
    );
    expect(found.map((each) => JSON.stringify(each))).toEqual([]);
    for (const kind of ['included', 'credits', 'split', 'none'] as const) {
      expect(histories.reduce((sum, { paid }) => sum + paid[kind], 0)).toBeGreaterThan(kind === 'split' ? 5 : 20);
    }
  });
});
