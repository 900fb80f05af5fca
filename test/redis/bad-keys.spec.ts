import { definePolicy, type Outcome } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { chargedFor } from '../../packages/core/src/model/claim.js';
import { withRedisStore } from '../support/redis-store.js';
import { claim, everyPolicy } from '../support/claim.js';
import { commandsDuring, namesIn } from '../support/monitor.js';

describe('a key with a foreign value', () => {
  const redis = withRedisStore(({ store }) => store.consume([claim()]));

  const hash = async (key: string) => void (await redis.client.hset(key, 'field', 'value'));
  const list = async (key: string) => void (await redis.client.rpush(key, 'one', 'two', 'three'));
  const text = (value: string) => async (key: string) => void (await redis.client.set(key, value));
  const foreign: [string, (key: string) => Promise<void>][] = [
    ['a hash', hash],
    ['a list of words', list],
    ['a word', text('word')],
    ['nothing but a space', text(' ')],
    ['a fraction', text('3.5')],
    ['a negative number', text('-7')],
    ['a number beyond 64 bits', text('98765432109876543210')],
    ['an infinite number', text('inf')],
    ['no number', text('nan')],
    ['a hexadecimal number', text('0x10')],
    ['a number with zeros before it', text('007')],
    ['bytes', text('\u0000\u0001')],
  ];
  const cases = everyPolicy(10).flatMap(([name, policy], row) =>
    foreign.map(([what, put], column) => ({ name, policy, what, put, place: row + column })),
  );
  /** Each policy with a third of the values, and each value with a third of the policies. */
  const someCases = cases.filter(({ place }) => place % 3 === 0);

  it.each(cases)('fails its own group alone: $name finds $what', async ({ policy, put }) => {
    const [bad, good, other] = [
      claim({ policy, tier: 'bad' }),
      claim({ tier: 'good' }),
      claim({ policy, tier: 'other' }),
    ];
    await put(bad.key);
    const before = await redis.client.dump(bad.key);

    const answers = await Promise.allSettled([
      redis.store.peek([claim()]),
      redis.store.consume([other]),
      redis.store.consume([good, bad]),
      redis.store.peek([bad]),
      redis.store.consume([chargedFor({ ...bad, shadow: true, record: 'a note' }, 'all'), good]),
      redis.store.consume([good, other]),
    ]);

    const unreadable = expect.objectContaining({ name: 'StoreError', code: 'STORE_KEY_UNREADABLE' });
    expect(answers.map((each) => (each.status === 'rejected' ? each.reason : 'answered'))).toEqual([
      'answered',
      'answered',
      unreadable,
      unreadable,
      unreadable,
      'answered',
    ]);
    const { outcomes } = await redis.store.peek([good, other]);
    expect(outcomes.map(({ remaining }) => remaining)).toEqual([9, 8]);
    expect(await redis.client.dump(bad.key)).toEqual(before);
    expect(await redis.client.exists(`${bad.key}:notes`)).toBe(0);
  });

  it.each(someCases)('fails its own checks alone among units: $name finds $what', async ({ policy, put }) => {
    const tiers = ['first', 'before', 'bad', 'after', 'good'].map((tier) => claim({ policy, tier }));
    const [first, before, bad, after, good] = tiers as [Claim, Claim, Claim, Claim, Claim];
    await put(bad.key);
    const found = await redis.client.dump(bad.key);
    const consumeEach = async (...claims: Claim[]) => {
      const answers = await Promise.allSettled(claims.map((each) => redis.store.consume([each])));
      return answers.map((each) => (each.status === 'rejected' ? each.reason.code : each.value.outcomes[0]!.remaining));
    };

    const once = await consumeEach(first, before, bad, after);
    const often = await consumeEach(claim(), bad, good, bad, good, bad);

    const unreadable = 'STORE_KEY_UNREADABLE';
    expect(once).toEqual([9, 9, unreadable, 9]);
    expect(often).toEqual([9, unreadable, 9, unreadable, 8, unreadable]);
    expect(await redis.client.dump(bad.key)).toEqual(found);
  });

  /** Algorithms with a fast path for equal groups. */
  const grouped = ['fixed-window', 'sliding-window', 'token-bucket'] as const;

  // Few windows are read first; many are charged at once.
  it.each(
    foreign.flatMap(([what, put]) =>
      grouped.flatMap((algorithm) => [3, 6].map((count) => ({ algorithm, what, put, count }))),
    ),
  )(
    'fails its own group alone among $count equal groups: $algorithm finds $what',
    async ({ algorithm, put, count }) => {
      const policy = definePolicy({ algorithm, limit: 10, window: '1h' });
      const shared = claim({ policy, tier: 'shared' });
      const groups = Array.from({ length: count }, (_, index) => [claim({ policy, tier: `tier ${index}` }), shared]);
      const [, [bad]] = groups as [unknown, [Claim]];
      await put(bad.key);
      const found = await redis.client.dump(bad.key);

      const answers = await Promise.allSettled([[claim()], ...groups].map((group) => redis.store.consume(group)));

      const left = answers.map((each) =>
        each.status === 'fulfilled' ? each.value.outcomes.map(remainingOf) : each.reason,
      );
      const unreadable = expect.objectContaining({ code: 'STORE_KEY_UNREADABLE' });
      const others = Array.from({ length: count - 2 }, (_, index) => [9, 8 - index]);
      expect(left).toEqual([[9], [9, 9], unreadable, ...others]);
      expect(await redis.client.dump(bad.key)).toEqual(found);
      expect(await redis.client.pttl(shared.key)).toBeGreaterThan(0);
    },
  );

  /** The value of a window of an hour with so many units, in a form that Redis does not write. */
  const misspelt = (before: string, count: number) => async (key: string) => {
    const ends = Math.ceil(Date.now() / 10) + 360_000;
    await redis.client.set(key, `${before}${(ends % 2 ** 21) * 2 ** 32 + count}`);
  };

  /** The value of a sliding window of an hour with five units, in a form that Redis does not write. */
  const misspeltRing = (before: string) => async (key: string) => {
    const newest = Math.floor(Date.now() / 3_600_000);
    await redis.client.set(key, `${before}${(newest % 2 ** 13) * 2 ** 40 + 5}`);
  };

  /** The value of a half-empty bucket of an hour, in a form that Redis does not write. */
  const misspeltTime = (before: string) => async (key: string) => {
    await redis.client.set(key, `${before}${(Date.now() + 1_800_000) * 1_000}`);
  };

  const misspelled: Record<(typeof grouped)[number], typeof foreign> = {
    'fixed-window': [
      ['a count of now after a space', misspelt(' ', 5)],
      ['a count of now after a zero', misspelt('0', 5)],
      ['a full count of now after a zero', misspelt('0', 10)],
    ],
    'sliding-window': [
      ['counts of now after a space', misspeltRing(' ')],
      ['counts of now after a zero', misspeltRing('0')],
    ],
    'token-bucket': [
      ['a time after a space', misspeltTime(' ')],
      ['a time after a zero', misspeltTime('0')],
    ],
  };
  const beside = grouped.flatMap((algorithm) =>
    [...foreign, ...misspelled[algorithm]].flatMap(([what, put]) => [
      { algorithm, what, put, room: 'room' as const },
      { algorithm, what, put, room: 'no room' as const },
    ]),
  );

  it.each(beside)(
    'fails its own group alone next to a tier with $room: $algorithm finds $what',
    async ({ algorithm, put, room }) => {
      const policy = definePolicy({ algorithm, limit: 10, window: '1h' });
      const [tier, shared, fresh, bad] = [1, 2, 3, 4].map(() => claim({ policy })) as [Claim, Claim, Claim, Claim];
      await redis.store.consume([{ ...tier, cost: room === 'room' ? 5 : 10 }]);
      await redis.store.consume([shared]);
      await put(bad.key);
      const before = await Promise.all([tier, bad].map(({ key }) => redis.client.dump(key)));

      const answers = await Promise.allSettled(
        [[claim()], [fresh, shared], [tier, bad], [fresh, shared]].map((group) => redis.store.consume(group)),
      );

      const left = answers.map((each) =>
        each.status === 'fulfilled' ? each.value.outcomes.map(remainingOf) : each.reason,
      );
      expect(left).toEqual([[9], [9, 8], expect.objectContaining({ code: 'STORE_KEY_UNREADABLE' }), [8, 7]]);
      expect(await Promise.all([tier, bad].map(({ key }) => redis.client.dump(key)))).toEqual(before);
    },
  );

  it.each(everyPolicy(10))('rejects a refund of %s, and stays as it is', async (_name, policy) => {
    const one = claim({ policy });
    const { receipts } = await redis.store.consume([one]);
    await redis.client.del(one.key);
    await hash(one.key);

    await expect(redis.store.refund(receipts)).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });

    expect(await redis.client.hgetall(one.key)).toEqual({ field: 'value' });
  });

  it('disappears with a reset', async () => {
    const one = claim();
    await hash(one.key);

    await redis.store.reset([one.key]);
    const { outcomes } = await redis.store.consume([one]);

    expect(outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
  });

  it('is read once, without a retry', async () => {
    const one = claim();
    await hash(one.key);

    const commands = await commandsDuring(redis.server, () => Promise.allSettled([redis.store.consume([one])]));

    expect(namesIn(commands.filter(({ scripted }) => !scripted))).toEqual(['evalsha']);
  });

  it('does not appear in the error message', async () => {
    const one = claim();
    await hash(one.key);

    const error = await Promise.resolve(redis.store.consume([one])).catch((reason: unknown) => reason);

    expect((error as Error).message).toMatch(/WRONGTYPE/);
    expect((error as Error).message).not.toContain(one.key);
  });
});

function remainingOf({ remaining }: Outcome): number {
  return remaining;
}
