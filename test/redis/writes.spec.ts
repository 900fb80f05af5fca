import * as fc from 'fast-check';
import { definePolicy } from '@sluice/core';
import type { Answer, Claim } from '@sluice/core/own-store';
import { withRedisStore } from '../support/redis-store.js';
import { claim, everyPolicy, newTag } from '../support/claim.js';
import { commandsDuring, namesIn, writesIn, type ServerCommand } from '../support/monitor.js';

describe('a key that redisStore writes', () => {
  const redis = withRedisStore(({ store }) => store.consume([claim()]));

  const another = { limit: 10, window: '1h' } as const;
  const readsIn = (commands: readonly ServerCommand[]) =>
    commands.filter(({ name }) => ['get', 'mget', 'llen'].includes(name)).flatMap(({ arguments: args }) => args);
  const writtenIn = (commands: readonly ServerCommand[]) =>
    writesIn(commands)
      .filter(([name]) => name !== 'pexpireat')
      .map(([, key]) => key);

  const large = [2 ** 20 - 1, 2 ** 20, 2 ** 21].flatMap((units) =>
    everyPolicy(units)
      // A log of so many units is refused.
      .filter(([name]) => name !== 'sliding-window-log')
      // A bucket of this size is full again within the hour.
      .map(([name, policy]) => [name, units, 'limit' in policy ? { ...policy, limit: units } : policy] as const),
  );

  it.each(large)('by %s is not there after a denied request of %i units, which fit', async (_name, units, policy) => {
    const full = claim();
    await redis.store.consume([{ ...full, cost: 10 }]);
    const other = claim({ policy });

    await redis.store.consume([{ ...other, cost: units }, full]);

    expect(await redis.client.exists(other.key)).toBe(0);
  });

  describe.each(everyPolicy(3))('by %s', (_name, policy) => {
    it('lives at least until the budget is full', async () => {
      const one = claim({ policy });
      const expiries = [];

      for (let check = 0; check < 3; check += 1) {
        const { outcomes } = await redis.store.consume([one]);
        expiries.push((await redis.client.pttl(one.key)) - outcomes[0]!.resetAfter);
      }

      // Both are rounded to a millisecond, and the expiry was read a moment later.
      for (const spare of expiries) expect(spare).toBeGreaterThan(-1_000);
    });

    it('is not written by a peek, a cost of 0 or one that never fits', async () => {
      const full = claim({ policy });
      const other = claim();
      await redis.store.consume([{ ...full, cost: 3 }]);

      const commands = await commandsDuring(redis.server, async () => {
        await redis.store.peek([full, other]);
        await redis.store.consume([{ ...full, cost: 0 }]);
        await redis.store.consume([{ ...full, cost: 4 }]);
      });

      expect(writesIn(commands)).toEqual([]);
      expect(namesIn(commands).filter((name) => name === 'time')).toHaveLength(3);
    });

    it('is left as it was by a denied request', async () => {
      const full = claim({ policy });
      const other = claim();
      await redis.store.consume([{ ...full, cost: 3 }]);
      const stored = () =>
        Promise.all([
          redis.client.dumpBuffer(full.key),
          redis.client.pexpiretime(full.key),
          redis.client.exists(other.key),
        ]);
      const before = await stored();

      await redis.store.consume([{ ...other, cost: 2 }, full]);
      await redis.store.consume([{ ...full, cost: 2 }]);

      expect(await stored()).toEqual(before);
    });

    it('is read at most once, and written once, by a request of several tiers', async () => {
      const group = [claim({ policy }), claim({ policy: another })];
      await redis.store.consume(group);

      const commands = await commandsDuring(redis.server, () => redis.store.consume(group));

      const keys = group.map(({ key }) => key);
      const reads = readsIn(commands);
      // An increment also reads the key.
      expect(keys.filter((key) => reads.includes(key))).toEqual(reads);
      expect(writtenIn(commands)).toEqual(keys);
    });

    it('is read at most once, and written once, by a request of one tier', async () => {
      const one = claim({ policy });
      await redis.store.consume([one]);

      const commands = await commandsDuring(redis.server, () => redis.store.consume([one]));

      // An increment also reads the key.
      expect([[], [one.key]]).toContainEqual(readsIn(commands));
      expect(writtenIn(commands)).toEqual([one.key]);
    });

    it('keeps value and expiry after a denied request', async () => {
      const full = claim({ policy });
      await redis.store.consume([{ ...full, cost: 3 }]);
      const before = await Promise.all([redis.client.dumpBuffer(full.key), redis.client.pexpiretime(full.key)]);

      const answers = await Promise.all([full, full, claim(), full].map((each) => redis.store.consume([each])));
      const after = await Promise.all([redis.client.dumpBuffer(full.key), redis.client.pexpiretime(full.key)]);

      expect(answers.map(({ outcomes }) => outcomes[0]!.allowed)).toEqual([false, false, true, false]);
      expect(after).toEqual(before);
    });

    it('is charged up to full by denied requests if it charges all', async () => {
      const counted = claim({ policy, charge: 'all' });
      const full = claim({ cost: 11 });

      const denied = [];
      for (let check = 0; check < 4; check += 1) denied.push(await redis.store.consume([counted, full]));

      expect(denied.map(({ outcomes }) => outcomes[0]!.remaining)).toEqual([2, 1, 0, 0]);
      expect(denied.map(({ receipts }) => receipts.length)).toEqual([1, 1, 1, 0]);
    });

    it('is refunded by a receipt once', async () => {
      const one = claim({ policy, cost: 2 });

      const { receipts } = await redis.store.consume([one]);
      const given = await redis.store.refund(receipts);
      const again = await redis.store.refund(receipts);
      const { outcomes } = await redis.store.peek([one]);

      // A bucket has refilled a part of a unit since, and refunds whole units.
      expect([1, 2]).toContain(given);
      expect(again).toBe(0);
      expect(outcomes[0]).toMatchObject({ remaining: 3 });
    });

    it('stays after a refund of no unit', async () => {
      const one = claim({ policy, cost: 2 });
      const { receipts } = await redis.store.consume([one]);

      const given = await redis.store.refund(receipts.map((receipt) => ({ ...receipt, units: 0 })));

      expect(given).toBe(0);
      expect((await redis.store.peek([one])).outcomes[0]).toMatchObject({ remaining: 1 });
    });

    it('disappears with a reset', async () => {
      const one = claim({ policy, record: 'a note' });
      await redis.store.consume([one]);

      await redis.store.reset([one.key]);

      expect(await redis.client.keys(`${one.key}*`)).toEqual([]);
    });
  });

  describe.each(['fixed-window', 'sliding-window', 'token-bucket'] as const)(
    'by equal groups under %s',
    (algorithm) => {
      const policies = [100, 80].map((limit) => definePolicy({ algorithm, limit, window: '1h' }));
      /** Sends three groups in one batch, because four checks are in flight before them. */
      const consumeTogether = (...groups: Claim[][]) =>
        Promise.all([
          ...Array.from({ length: 4 }, () => redis.store.peek([claim()])),
          ...groups.map((group) => redis.store.consume(group)),
        ]);

      it('is charged by each group, without another command', async () => {
        const [tenant, ...users] = [0, 1, 1, 1].map((place) => claim({ policy: policies[place]! }));
        const groups = users.map((user) => [tenant!, user]);
        await consumeTogether(...groups);

        const commands = await commandsDuring(redis.server, () => consumeTogether(...groups));

        expect(writtenIn(commands).filter((key) => key === tenant!.key)).toHaveLength(3);
        expect(readsIn(commands)).not.toContain(tenant!.key);
        expect((await redis.store.peek([tenant!])).outcomes[0]!.remaining).toBe(94);
      });

      it('is as it was after groups that are denied, and does not exist where it did not', async () => {
        const [roomy, fresh] = [claim({ policy: policies[0]! }), claim({ policy: policies[0]! })];
        const full = claim({ policy: policies[1]! });
        await redis.store.consume([roomy]);
        await redis.store.consume([{ ...full, cost: 80 }]);
        const stored = () =>
          Promise.all([roomy, full].flatMap(({ key }) => [redis.client.dump(key), redis.client.pexpiretime(key)]));
        const before = await stored();

        // One script decides the groups of equal policies that are sent together.
        const answers = [
          ...(await consumeTogether([roomy, full], [fresh, full], [roomy, full])).slice(-3),
          ...(await consumeTogether([full, roomy], [full, fresh], [full, roomy])).slice(-3),
        ];

        expect(answers.map(({ outcomes }) => outcomes.every(({ allowed }) => allowed))).toEqual(
          Array.from(answers, () => false),
        );
        expect(await stored()).toEqual(before);
        expect(await redis.client.exists(fresh.key)).toBe(0);
      });
    },
  );

  it('is not written by groups of strict windows that the previous slot fills', async () => {
    const policy = definePolicy({ algorithm: 'sliding-window', strict: true, precision: 1, limit: 100, window: '30d' });
    const groups = [1, 2, 3].map(() => [claim({ policy }), claim({ policy })]);
    const newest = Math.floor(Date.now() / (30 * 86_400_000)) % 2 ** 13;
    for (const [{ key }] of groups as [Claim][]) await redis.client.set(key, newest * 2 ** 40 + 100 * 2 ** 20);

    const commands = await commandsDuring(redis.server, async () => {
      const answers = await Promise.all(groups.map((group) => redis.store.consume(group)));
      expect(answers.map(({ outcomes }) => outcomes.map(({ allowed }) => allowed))).toEqual([
        [false, true],
        [false, true],
        [false, true],
      ]);
    });

    expect(writesIn(commands)).toEqual([]);
  });

  it('is corrected, even by a denied request, when it is ahead of the clock', async () => {
    const bucket = claim({ policy: { algorithm: 'token-bucket', limit: 10, window: '1h' } });
    const full = claim({ cost: 11 });
    const later = (Date.now() + 7_200_000) * 1_000;
    await redis.client.set(bucket.key, later, 'EX', 9_000);

    const commands = await commandsDuring(redis.server, () => redis.store.consume([bucket, full]));
    const { outcomes } = await redis.store.peek([bucket]);

    expect(writesIn(commands).map(([name, key]) => [name, key])).toEqual([['incrby', bucket.key]]);
    expect(outcomes[0]!.resetAfter).toBeLessThanOrEqual(3_600_000);
  });

  it('is not corrected by a peek', async () => {
    const bucket = claim({ policy: { algorithm: 'token-bucket', limit: 10, window: '1h' } });
    await redis.client.set(bucket.key, (Date.now() + 7_200_000) * 1_000, 'EX', 9_000);

    const commands = await commandsDuring(redis.server, () => redis.store.peek([bucket]));

    expect(writesIn(commands)).toEqual([]);
  });

  describe('by a bucket', () => {
    const GRAIN = 3_600_000_000 / 64;
    const bucket = (limit: number, burst: number) =>
      definePolicy({ algorithm: 'token-bucket', limit, window: '1h', burst });

    it('lives until it is refilled, under any sequence of limits', async () => {
      const charge = fc.record({
        limit: fc.constantFrom(1, 60, 100, 5_000, 7_000, 100_000),
        burst: fc.constantFrom(1, 2, 100, 9_000),
        cost: fc.integer({ min: 1, max: 200 }),
        grouped: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(charge, { minLength: 2, maxLength: 6 }), async (charges) => {
          const tag = newTag();
          for (const { limit, burst, cost, grouped } of charges) {
            const one = claim({ tag, policy: bucket(limit, burst), cost: grouped ? Math.min(cost, burst) : 1 });
            await redis.store.consume(grouped ? [one, claim()] : [one]);

            // Charges within the same 64th of the window do not read the expiry.
            const full = Number((await redis.client.get(one.key))!.split(':')[0]);
            const longest = (Math.floor(full / GRAIN) + 1) * GRAIN;
            expect((await redis.client.pexpiretime(one.key)) * 1_000).toBeGreaterThanOrEqual(longest);
          }
        }),
        { numRuns: 100 },
      );
    });

    it.each([
      ['alone', []],
      ['among others', [claim({ policy: bucket(6_400, 6_400) })]],
    ])('has its expiry read once each 64th of the window: %s', async (_which, others) => {
      const one = claim({ policy: bucket(6_400, 6_400) });
      await redis.store.consume([one]);

      const commands = await commandsDuring(redis.server, async () => {
        for (let check = 0; check < 300; check += 1) await redis.store.consume([one, ...others]);
      });

      // A 64th is a hundred units, and the first has started already.
      expect(commands.filter(({ name, arguments: [key] }) => name === 'pexpiretime' && key === one.key)).toHaveLength(
        3,
      );
    });
  });

  it.each([
    ['token-bucket', { algorithm: 'token-bucket', limit: 9, window: '1h' }],
    ['sliding-window-log', { algorithm: 'sliding-window-log', limit: 9, window: '1h' }],
  ] as const)('gets its time to live back by %s', async (_name, policy) => {
    const one = claim({ policy });
    await redis.store.consume([one]);
    await redis.client.persist(one.key);

    const { outcomes } = await redis.store.consume([one]);

    expect(await redis.client.pttl(one.key)).toBeGreaterThanOrEqual(outcomes[0]!.resetAfter - 1_000);
  });

  describe('as one integer of two slots', () => {
    const slot = 3_600_000;
    const packed = (age: number, older: number, newer: number) =>
      (((Math.floor(Date.now() / slot) - age) % 2 ** 13) * 2 ** 20 + older) * 2 ** 20 + newer;

    // Edge values, and counts above a lower limit.
    it.each([
      [0, 0, 2 ** 20 - 1, 2 ** 20 + 5],
      [0, 2 ** 20 - 1, 2 ** 20 - 2, 2 ** 32 - 1],
      [1, 3, 2 ** 20 - 1, 2 ** 20 + 5],
      [0, 900, 30, 100],
      [1, 30, 900, 100],
      [2, 900, 900, 100],
      [0, 30, 900, 100],
      [4_095, 90, 90, 100],
      [-1, 90, 90, 100],
      [-4_000, 90, 90, 100],
    ])('is charged alone as in a group: %i slots old, %i and %i units, limit %i', async (age, older, newer, limit) => {
      const policy = definePolicy({ limit, window: slot });
      const [one, many, grouped] = [1, 2, 3].map(() => claim({ policy })) as [Claim, Claim, Claim];
      for (const { key } of [one, many, grouped]) await redis.client.set(key, packed(age, older, newer), 'EX', 9_000);

      const single = await redis.store.consume([one]);
      const [, , second] = await Promise.all([claim(), many, many].map((each) => redis.store.consume([each])));
      const group = await redis.store.consume([grouped, claim()]);
      const again = await redis.store.consume([grouped, claim()]);

      const allows = ({ outcomes }: Answer) => outcomes[0]!.allowed;
      expect([single, second!].map(allows)).toEqual([group, again].map(allows));
      expect(await redis.client.get(many.key)).toBe(await redis.client.get(grouped.key));
    });
  });

  it.each([
    ['first', 1_000],
    ['clock', 3_600_000_000],
  ] as const)(
    'starts again by fixed-window, anchor %s, after a count without a time to live',
    async (anchor, grain) => {
      const policy = definePolicy({
        algorithm: 'fixed-window',
        limit: 9,
        window: anchor === 'first' ? '1s' : '1h',
        anchor,
      });
      const [single, grouped, other] = ['single', 'grouped', 'other'].map((tier) => claim({ policy, tier })) as [
        Claim,
        Claim,
        Claim,
      ];
      const over = Math.floor((Date.now() * 1_000) / grain) % 2 ** 21;
      for (const { key } of [single, grouped]) await redis.client.set(key, over * 2 ** 32 + 9);

      const answers = [await redis.store.consume([single]), await redis.store.consume([grouped, other])];

      expect(answers.flatMap(({ outcomes }) => outcomes.map(({ remaining }) => remaining))).toEqual([8, 8, 8]);
      for (const { key } of [single, grouped]) expect(await redis.client.pttl(key)).toBeGreaterThan(0);
    },
  );

  describe('for recorded texts', () => {
    it('keeps the newest 20 texts as long as the tier', async () => {
      const one = claim({ policy: { limit: 30, window: '1h' } });

      for (let number = 1; number <= 23; number += 1) await redis.store.consume([{ ...one, record: `text ${number}` }]);
      const texts = await redis.store.recorded(one.key);

      expect(texts).toEqual(Array.from({ length: 20 }, (_, index) => `text ${23 - index}`));
      expect(await redis.client.pexpiretime(`${one.key}:notes`)).toBe(await redis.client.pexpiretime(one.key));
    });

    it('keeps no text of a denied request, a peek or a cost of 0', async () => {
      const one = claim({ record: 'a note', charge: 'all' });
      const full = claim({ cost: 11 });

      await redis.store.consume([one, full]);
      await redis.store.peek([one]);
      await redis.store.consume([{ ...one, cost: 0 }]);

      expect(await redis.store.recorded(one.key)).toEqual([]);
    });

    it('keeps every text of a batch with its own key', async () => {
      const [one, other] = [claim(), claim()];

      await Promise.all([
        redis.store.peek([claim()]),
        redis.store.consume([{ ...one, record: 'a' }, claim(), { ...other, record: 'b' }]),
        redis.store.consume([{ ...one, cost: 11, record: 'denied' }]),
        redis.store.consume([{ ...one, record: 'c' }]),
        redis.store.consume([other]),
      ]);

      expect(await redis.store.recorded(one.key)).toEqual(['c', 'a']);
      expect(await redis.store.recorded(other.key)).toEqual(['b']);
    });

    it.each(everyPolicy(3))('lives as long as a key of %s that charges all', async (_name, policy) => {
      const one = claim({ policy, charge: 'all', record: 'a note' });
      const full = claim({ cost: 11 });
      await redis.store.consume([one]);
      await redis.client.pexpireat(`${one.key}:notes`, (await redis.client.pexpiretime(one.key)) - 1);

      await redis.store.consume([one, full]);
      const lives = await Promise.all([one.key, `${one.key}:notes`].map((key) => redis.client.pexpiretime(key)));

      expect(lives[1]).toBe(lives[0]);
      expect(await redis.store.recorded(one.key)).toEqual(['a note']);
    });

    it('creates no list for a denied request, and extends no foreign key', async () => {
      const [one, other] = [claim({ charge: 'all', record: 'a' }), claim({ charge: 'all', record: 'b' })];
      const full = claim({ cost: 11 });
      await redis.client.set(`${other.key}:notes`, 'foreign', 'EX', 60);

      await redis.store.consume([one, other, full]);

      expect(await redis.client.exists(`${one.key}:notes`)).toBe(0);
      expect(await redis.client.ttl(`${other.key}:notes`)).toBeLessThanOrEqual(60);
    });

    it('needs no command of its own', async () => {
      const commands = await commandsDuring(redis.server, () => redis.store.consume([claim({ record: 'a note' })]));

      expect(namesIn(commands.filter(({ scripted }) => !scripted))).toEqual(['evalsha']);
    });

    it('does not touch a foreign key', async () => {
      const one = claim({ record: 'a note' });
      await redis.client.set(`${one.key}:notes`, 'foreign');

      const { outcomes } = await redis.store.consume([one]);

      expect(outcomes[0]).toMatchObject({ allowed: true, remaining: 9 });
      expect(await redis.client.get(`${one.key}:notes`)).toBe('foreign');
      expect(await redis.client.ttl(`${one.key}:notes`)).toBe(-1);
      await expect(redis.store.recorded(one.key)).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });
    });
  });

  it('has the name of its claim, and no other key exists', async () => {
    await redis.client.flushdb();
    const tag = newTag();
    const group = everyPolicy(5).map(([, policy], index) =>
      claim({ tag, tier: `tier-${index}`, policy, record: 'a note' }),
    );

    await redis.store.consume(group);

    const expected = group.flatMap(({ key }) => [key, `${key}:notes`]);
    expect((await redis.client.keys('*')).toSorted()).toEqual(expected.toSorted());
    const lives = await Promise.all(expected.map((key) => redis.client.pttl(key)));
    expect(lives.every((life) => life > 0)).toBe(true);
  });
});
