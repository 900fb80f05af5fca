import { createLimiter, memoryStore, type Decision, type Store } from '@sluice/core';
import { balance, creditsOf, endGrants, type LowBalance } from '@sluice/quotas';
import { withRedisStore } from '../support/redis-store.js';
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

/** What is done before an end that comes soon: again, with a later end, where the machine was too slow. */
async function beforeEnd<T>(prepare: (end: number) => Promise<T>): Promise<T & { readonly end: number }> {
  for (let wait = 500; ; wait *= 2) {
    const end = Date.now() + wait;
    const [done] = await Promise.allSettled([prepare(end)]);
    if (Date.now() >= end) continue;
    if (done.status === 'rejected') throw done.reason;
    return { ...done.value, end };
  }
}

function prepaid(store: Store, marks: Parameters<typeof balance>[0] = {}) {
  const limiter = createLimiter<Caller>({
    store,
    tiers: [{ name: 'credits', key: ({ user }) => user, algorithm: balance(marks) }],
  });
  return { limiter, credits: creditsOf(limiter) };
}

onEveryStore((newStore) => {
  it.each([false, true])(
    'posts what has ended in balances that nobody touches, once (partitions: %s)',
    async (isPartitioned) => {
      const { store, credits, heard, callers, end } = await beforeEnd(async (ends) => {
        const own = newStore();
        const made = scene(own, isPartitioned);
        const customers = Array.from({ length: 5 }, newCaller);
        for (const [place, caller] of customers.entries()) {
          await made.credits.credit(caller, 20, { id: 'bought' });
          await made.credits.credit(caller, 40 + place, { id: 'given', expiresAt: place === 4 ? ends + HOUR : ends });
        }
        return { ...made, store: own, callers: customers };
      });
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
        Array.from({ length: 4 }, () => [50, 20, 'ended']),
      );
    },
  );

  it('settles requests whose grant has ended meanwhile: what comes back to it is lost, and more is taken of the others', async () => {
    const { limiter, credits } = prepaid(newStore());
    const { caller, requests, end } = await beforeEnd(async (ends) => {
      const customer = newCaller();
      await credits.credit(customer, 10, { id: 'bought' });
      await credits.credit(customer, 20, { id: 'given', expiresAt: ends });
      const made = [];
      // Of the third one 8 units are given, and 2 bought.
      for (const cost of [6, 6, 10, 1]) made.push(await limiter.consume(customer, { cost }));
      return { caller: customer, requests: made };
    });
    const [lower, higher, across, equal] = requests as [Decision, Decision, Decision, Decision];
    await until(() => Date.now() > end);

    const settled = [
      await limiter.settle(lower, 1),
      await limiter.settle(higher, 8),
      await limiter.settle(across, 3),
      await limiter.settle(equal, 1),
    ];
    const postings = await credits.postings(caller);

    expect(requests.map(({ allowed }) => allowed)).toEqual([true, true, true, true]);
    expect(settled).toEqual([-5, 2, -7, 0]);
    // Of the third request 2 units came back to those that were bought. None of the given ones was left at their end.
    const sumOf = (kind: string) => postings.reduce((sum, each) => (each.kind === kind ? sum + each.units : sum), 0);
    expect([sumOf('credit'), sumOf('expiry'), sumOf('lost')]).toEqual([30, 0, -5 - 5]);
    expect((await limiter.inspect(caller))[0]!.outcome.remaining).toBe(10 - 2 - 1 + 2 - 2);
  });

  it('gives notice of a low balance once, also where several settlements find nothing in it', async () => {
    const heard: LowBalance[] = [];
    const { limiter, credits } = prepaid(newStore(), { lowBalance: [5], onLowBalance: (low) => void heard.push(low) });
    const { caller, requests, end } = await beforeEnd(async (ends) => {
      const customer = newCaller();
      await credits.credit(customer, 10, { id: 'given', expiresAt: ends });
      const made = [];
      for (let left = 3; left > 0; left -= 1) made.push(await limiter.consume(customer));
      return { caller: customer, requests: made };
    });
    const [returned, ...settled] = requests as [Decision, Decision, Decision];
    await until(() => Date.now() > end);

    // It finds what has ended, and tells nothing.
    await limiter.refund(returned);
    for (const each of settled) await limiter.settle(each, 2);
    await credits.postings(caller);

    expect(heard.map(({ mark, balance: left }) => [mark, left])).toEqual([[5, 0]]);
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
  const redis = withRedisStore();

  it('leaves out a balance that cannot be read, says so, and posts the ends of all others', async () => {
    const { store, client } = redis;
    const { limiter, credits, callers, end } = await beforeEnd(async (ends) => {
      const made = scene(store);
      const customers = Array.from({ length: 3 }, newCaller);
      for (const caller of customers) await made.credits.credit(caller, 10, { id: 'given', expiresAt: ends });
      return { ...made, callers: customers };
    });
    const [first, ...others] = callers;
    const { key } = (await limiter.inspect(first!))[1]!;
    await client.set(key, 'of another program');
    const ends = endGrants(store);
    await until(() => Date.now() > end);

    const { balances, units, problem, age } = await ends.run();
    await ends.close();

    const kinds = await Promise.all(others.map(async (caller) => (await credits.postings(caller))[0]!.kind));
    expect([balances, units, age, kinds]).toEqual([2, 20, 0, ['expiry', 'expiry']]);
    expect(problem).toMatch(/WRONGTYPE|cannot be read|another type/);
  });

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
    const { end } = await beforeEnd(async (ends) => {
      await credits.credit(caller, 10, { id: 'given', expiresAt: ends });
      return {};
    });
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
