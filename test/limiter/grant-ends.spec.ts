import { createLimiter, memoryStore, type Store } from '@sluice/core';
import { balance, creditsOf, endGrants, type LowBalance } from '@sluice/quotas';
import { until } from '../support/until.js';
import { newCaller, onEveryStore, type Caller } from './every-store.js';

const HOUR = 3_600_000;
let prefixes = 0;

/** A limiter with a prefix of its own, because a run looks at all balances under it. */
function scene(store: Store, partitioned = false) {
  prefixes += 1;
  const heard: LowBalance[] = [];
  const key = ({ user }: Caller) => user;
  const limiter = createLimiter<Caller>({
    store,
    prefix: `ends-${prefixes}-*`,
    ...(partitioned && { partition: () => 'team' }),
    tiers: [
      { name: 'month', key, algorithm: 'fixed-window', limit: 5, window: '1h' },
      {
        name: 'credits',
        key,
        algorithm: balance({ covers: ['month'], lowBalance: [50, 5], onLowBalance: (low) => void heard.push(low) }),
      },
    ],
  });
  return { limiter, credits: creditsOf(limiter), heard };
}

function prepaid(store: Store) {
  const limiter = createLimiter<Caller>({
    store,
    tiers: [{ name: 'credits', key: ({ user }) => user, algorithm: balance() }],
  });
  return { limiter, credits: creditsOf(limiter) };
}

onEveryStore((newStore) => {
  it.each([false, true])(
    'posts what has ended in balances that nobody touches, once (partitions: %s)',
    async (isPartitioned) => {
      const store = newStore();
      const { credits, heard } = scene(store, isPartitioned);
      const callers = Array.from({ length: 5 }, newCaller);
      const end = Date.now() + 1_000;
      for (const [place, caller] of callers.entries()) {
        await credits.credit(caller, 20, { id: 'bought' });
        await credits.credit(caller, 40 + place, { id: 'given', expiresAt: place === 4 ? end + HOUR : end });
      }
      const [one, other] = [endGrants(store), endGrants(store)];
      const early = await one.run();
      await until(() => Date.now() > end);

      await Promise.all([one.run(), other.run()]);
      const again = await one.run();
      const units = one.status().units + other.status().units;
      await Promise.all([one.close(), other.close()]);

      const postings = await Promise.all(callers.map((caller) => credits.postings(caller)));
      const ended = postings.map((each) =>
        each.flatMap(({ kind, units: lost, at }) => (kind === 'expiry' ? [[lost, at >= end]] : [])),
      );
      expect([early.balances, early.problem]).toEqual([5, undefined]);
      expect(ended).toEqual([[[-40, true]], [[-41, true]], [[-42, true]], [[-43, true]], []]);
      expect([units, again.age]).toEqual([40 + 41 + 42 + 43, 0]);
      expect(heard.map(({ mark, balance: left, cause }) => [mark, left, cause])).toEqual(
        Array(4).fill([50, 20, 'ended']),
      );
    },
  );

  it('settles requests whose grant has ended meanwhile: what comes back to it is lost, and more is taken of the others', async () => {
    const { limiter, credits } = prepaid(newStore());
    const caller = newCaller();
    const end = Date.now() + 1_000;
    await credits.credit(caller, 10, { id: 'bought' });
    await credits.credit(caller, 20, { id: 'given', expiresAt: end });
    const [lower, higher, across, equal] = [
      await limiter.consume(caller, { cost: 6 }),
      await limiter.consume(caller, { cost: 6 }),
      // 8 units are given, and 2 bought.
      await limiter.consume(caller, { cost: 10 }),
      await limiter.consume(caller, { cost: 1 }),
    ];
    await until(() => Date.now() > end);

    const settled = [
      await limiter.settle(lower, 1),
      await limiter.settle(higher, 8),
      await limiter.settle(across, 3),
      await limiter.settle(equal, 1),
    ];
    const postings = await credits.postings(caller);

    expect([lower, higher, across, equal].map(({ allowed }) => allowed)).toEqual([true, true, true, true]);
    expect(settled).toEqual([-5, 2, -7, 0]);
    // Of the third request 2 units came back to those that were bought. None of the given ones was left at their end.
    const sumOf = (kind: string) => postings.reduce((sum, each) => (each.kind === kind ? sum + each.units : sum), 0);
    expect([sumOf('credit'), sumOf('expiry'), sumOf('lost')]).toEqual([30, 0, -5 - 5]);
    expect((await limiter.inspect(caller))[0]!.outcome.remaining).toBe(10 - 2 - 1 + 2 - 2);
  });

  it('leaves balances to the process that looks at them, and looks itself when that is long ago', async () => {
    const store = newStore();
    const { credits } = scene(store);
    await credits.credit(newCaller(), 10, { id: 'bought' });
    const [one, other] = [endGrants(store, { every: '1s' }), endGrants(store, { every: '1s' })];

    await until(() => one.status().balances + other.status().balances >= 2);
    await Promise.all([one.close(), other.close()]);

    expect([one.status().problem, other.status().problem]).toEqual([undefined, undefined]);
  });
});

describe('endGrants', () => {
  it('says which stores it needs', () => {
    expect(() => endGrants({} as Store)).toThrow('endGrants: store must be memoryStore() or redisStore(…)');
    expect(() => endGrants(memoryStore(), { every: '1ms' })).toThrow(
      'endGrants: every must be a duration from 1 s to 1 day',
    );
  });

  it('finds balances of a tier that no limiter has any more, which tells no marks', async () => {
    const store = memoryStore();
    const { limiter, credits, heard } = scene(store);
    const caller = newCaller();
    const end = Date.now() + 50;
    await credits.credit(caller, 10, { id: 'given', expiresAt: end });
    const key = (await limiter.inspect(caller))[1]!.key;
    const prefix = key.slice(0, key.indexOf(':{'));
    await limiter.close();
    createLimiter<Caller>({ store, prefix, tiers: [{ name: 'other', key: ({ user }) => user, algorithm: balance() }] });
    const ends = endGrants(store);
    await until(() => Date.now() > end);

    const { balances, units } = await ends.run();
    await ends.close();

    expect([balances, units, heard]).toEqual([1, 10, []]);
  });
});
