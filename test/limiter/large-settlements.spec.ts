import { createLimiter, type Tier } from '@sluice/core';
import { balance, creditsOf } from '@sluice/quotas';
import { newCaller, onEveryStore, type Caller } from './every-store.js';

const key = ({ user }: Caller) => user;
const HOUR = 3_600_000;
const window = '1h';

/** A limit of 40 units in each algorithm whose units a settlement can charge, and what it can charge beyond them. */
const RATES: readonly [name: string, options: Partial<Tier<Caller>>, most: number][] = [
  ['fixed-window', { algorithm: 'fixed-window', limit: 40, window }, 40],
  ['sliding-window', { limit: 40, window }, 40],
  ['sliding-window of slots', { limit: 40, window, precision: 10 }, 40],
  ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 40, window }, 40],
  ['token-bucket', { algorithm: 'token-bucket', limit: 40, window }, 40],
  ['token-bucket with an overdraft', { algorithm: 'token-bucket', limit: 40, window, overdraft: 20 }, 60],
];
const COSTS = [2 ** 33 + 10, Number.MAX_SAFE_INTEGER];

onEveryStore((newStore) => {
  it.each([500, 2 ** 32 - 1, 2 ** 32, 2 ** 33 - 2, 2 ** 33 - 1, 2 ** 33, 2 ** 33 + 10, 2 ** 51 + 1])(
    'charges the whole of a settlement of %d units that two grants of a balance hold',
    async (cost) => {
      const units = 2 ** 51 + 100;
      const tiers: Tier<Caller>[] = [{ name: 'credits', key, algorithm: balance() }];
      const limiter = createLimiter<Caller>({ store: newStore(), tiers });
      const caller = newCaller();
      const credits = creditsOf(limiter);
      await credits.credit(caller, 10, { id: 'first', order: 1, expiresAt: Date.now() + HOUR });
      await credits.credit(caller, units, { id: 'second', order: 2, expiresAt: Date.now() + HOUR });
      const left = async () => (await limiter.peek(caller)).outcomes[0]!.remaining;

      const decision = await limiter.consume(caller, { cost: 1 });
      const settled = [await limiter.settle(decision, cost), await left()];
      const debited = (await credits.debit(caller, 1, { id: 'x' })).balance;

      expect(settled).toEqual([cost - 1, units + 10 - cost]);
      expect(debited).toBe(units + 9 - cost);
    },
  );

  it.each(COSTS.flatMap((cost) => RATES.map(([name, options, most]) => ({ name, options, most, cost }))))(
    'charges all that a $name can hold for a settlement of $cost units',
    async ({ options, most, cost }) => {
      const limiter = createLimiter<Caller>({
        store: newStore(),
        tiers: [{ name: 'rate', key, ...options } as Tier<Caller>],
      });
      const caller = newCaller();

      const decision = await limiter.consume(caller, { cost: 1 });
      const charged = await limiter.settle(decision, cost);

      expect([charged, (await limiter.peek(caller)).outcomes[0]!.remaining]).toEqual([most - 1, 0]);
    },
  );
});
