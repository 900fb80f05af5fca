import { Cluster, Redis } from 'ioredis';
import type { Outcome, Store } from '@sluice/core';
import type { Claim } from '@sluice/core/own-store';
import { redisStore, type RedisStore } from '@sluice/redis';
import { claim, everyPolicy, newTag } from '../../support/claim.js';
import { commandsDuring } from '../../support/monitor.js';
import { startCluster, type RedisCluster } from '../../support/cluster.js';
import { withRedis } from '../../support/redis-store.js';
import { until } from '../../support/until.js';
import { slotsOf, type Slots } from './slots.js';

/** More than a busy machine needs. */
const DEADLINE = 2_000;

describe('redisStore on a Cluster of three nodes', () => {
  let cluster: RedisCluster;
  let slots: Slots;
  let client: Cluster;
  let store: RedisStore;
  /** A tag on each node. */
  let tags: string[];

  beforeAll(async () => {
    cluster = await startCluster();
    slots = await slotsOf(cluster);
    client = new Cluster(cluster.startupNodes);
    store = redisStore(client, { deadline: DEADLINE });
  });

  beforeEach(async () => {
    tags = await Promise.all([0, 1, 2].map((node) => slots.tagOn(node)));
  });

  afterAll(async () => {
    await store.close();
    client.disconnect();
    slots.close();
    await cluster.stop();
  });

  const limited = (limit: number) => ({ algorithm: 'fixed-window', limit, window: '1h' }) as const;
  const remainingOf = (outcomes: readonly Outcome[]) => outcomes.map(({ remaining }) => remaining);
  const leftOf = async (group: readonly Claim[]) => remainingOf((await store.peek(group)).outcomes);
  /** The script calls of each node. */
  const evalshas = (act: () => Promise<unknown>) => {
    const watch = async ([node, ...others]: RedisCluster['nodes']): Promise<number[]> => {
      if (node === undefined) return act().then(() => []);
      let beside: number[] = [];
      const commands = await commandsDuring(node, async () => void (beside = await watch(others)));
      return [commands.filter(({ name }) => name === 'evalsha').length, ...beside];
    };
    return watch(cluster.nodes);
  };

  describe('and on a single Redis', () => {
    const single = withRedis();

    it.each([
      ['of one tag', () => [tags[0]!, tags[0]!, tags[0]!]],
      ['of a tag each', () => tags],
    ])('gives the same answers to tiers %s', async (_what, choose) => {
      const chosen = choose();
      const tiers = everyPolicy(7).map(([, policy], index) =>
        claim({
          policy,
          tag: chosen[index % 3]!,
          tier: `tier-${index}`,
          charge: index === 3 ? 'all' : 'admitted',
          shadow: index === 5,
        }),
      );
      const run = async (from: Store) => {
        const answers = [];
        for (let step = 0; step < 40; step += 1) {
          const group = tiers
            .filter((_, index) => (step + index) % 3 !== 0)
            .map((each) => ({ ...each, cost: step % 9 }));
          const { outcomes, receipts } = await from.consume(group);
          const given = step % 7 === 0 ? await from.refund(receipts) : 0;
          answers.push(
            ...outcomes.map(summary),
            receipts.map(({ tier, units }) => `${tier} ${units}`).toSorted(),
            given,
          );
        }
        return answers;
      };
      /** Without times, because the two stores run one after the other. */
      const summary = ({ tier, allowed, never, shadow, limit, remaining, retryAfter }: Outcome) =>
        [tier, allowed, never, shadow, limit, remaining, retryAfter > 0].join(' ');

      const [here, there] = [await run(store), await run(redisStore(single.client, { deadline: DEADLINE }))];

      expect(here).toEqual(there);
    });
  });

  describe('with tiers of one tag', () => {
    it('decides them in one call', async () => {
      const [tag] = tags;
      const group = ['hour', 'day', 'week'].map((tier) => claim({ tag: tag!, tier }));
      await store.consume(group);

      const calls = await evalshas(async () => store.consume(group));

      expect(calls).toEqual([1, 0, 0]);
    });
  });

  describe('with tiers of different tags', () => {
    it('decides them in a call each', async () => {
      const group = tags.map((tag) => claim({ tag }));
      await store.consume(group);

      const calls = await evalshas(async () => store.consume(group));

      expect(calls).toEqual([1, 1, 1]);
    });

    it.each(everyPolicy(5))('refunds the units of %s when another denies', async (_name, policy) => {
      const [taken, tight] = [
        claim({ tag: tags[0]!, tier: 'taken', policy }),
        claim({ tag: tags[1]!, tier: 'tight', policy: limited(1) }),
      ];
      await store.consume([taken, tight]);

      const { outcomes, receipts } = await store.consume([taken, tight]);

      expect(outcomes.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 4],
        [false, 0],
      ]);
      expect(receipts).toEqual([]);
      expect(await leftOf([taken, tight])).toEqual([4, 0]);
    });

    it('reports the units after that refund, also on a node without the script', async () => {
      const group = [claim({ tag: tags[0]! }), claim({ tag: tags[1]!, policy: limited(1) }), claim({ tag: tags[2]! })];
      await store.consume(group);
      await slots.onEach('SCRIPT', 'FLUSH');

      const { outcomes } = await store.consume(group);

      expect(remainingOf(outcomes)).toEqual([9, 0, 9]);
    });

    it('never admits more than a limit, and refunds what it did not admit', async () => {
      const [a, b, c] = [
        claim({ tag: tags[0]!, policy: limited(40) }),
        claim({ tag: tags[1]!, policy: limited(25) }),
        claim({ tag: tags[2]!, policy: limited(30) }),
      ];
      const groups = Array.from(
        { length: 120 },
        (_, index) =>
          [
            [a, b],
            [b, c],
            [a, c],
            [c, b, a],
          ][index % 4]!,
      );

      const answers = await Promise.all(groups.map((group) => store.consume(group)));

      const admitted = (one: Claim) =>
        answers.filter(
          ({ outcomes }, index) => groups[index]!.includes(one) && outcomes.every(({ allowed }) => allowed),
        ).length;
      const left = await leftOf([a, b, c]);
      expect(left).toEqual([40 - admitted(a), 25 - admitted(b), 30 - admitted(c)]);
      expect(Math.min(...left)).toBeGreaterThanOrEqual(0);
    });

    it('bans a client by a second call after the denial', async () => {
      const [hour, ban] = [
        claim({ tag: tags[0]!, tier: 'hour', policy: limited(1) }),
        claim({
          tag: tags[1]!,
          tier: 'ban',
          policy: { algorithm: 'backoff', limit: 1, window: '2d', delays: ['1d'], forgive: 'one' },
          charge: 'denied',
        }),
      ];
      const answers = [];
      for (let request = 0; request < 4; request += 1) answers.push((await store.consume([hour, ban])).outcomes);

      expect(answers.map((outcomes) => outcomes.map(({ allowed }) => allowed))).toEqual([
        [true, true],
        [false, true],
        [false, false],
        [false, false],
      ]);
      expect(answers[2]![1]!.retryAfter).toBeGreaterThan(86_000_000);
    });

    it('takes no place in a queue for requests that another tier denies', async () => {
      const backend = claim({
        policy: { algorithm: 'leaky-bucket', limit: 600, window: '1h', queue: 599 },
        tag: tags[0]!,
        tier: 'backend',
      });
      const denying = claim({ policy: limited(1), tag: tags[1]!, tier: 'client' });
      await store.consume([backend, denying]);

      const denied = await Promise.all(Array.from({ length: 100 }, () => store.consume([backend, denying])));

      expect(denied.filter(({ outcomes }) => outcomes[1]!.allowed)).toEqual([]);
      const other = claim({ policy: limited(1), tag: tags[2]!, tier: 'client' });
      const { outcomes } = await store.consume([backend, other]);
      // It waits for the one request before it: 600 an hour are one each 6 s.
      expect(outcomes[0]!.delay).toBeGreaterThan(0);
      expect(outcomes[0]!.delay).toBeLessThanOrEqual(6_000);
    });

    it('rejects when one key is unreadable, and refunds the others', async () => {
      const group = tags.map((tag) => claim({ tag }));
      await client.hset(group[1]!.key, 'field', 'value');

      await expect(store.consume(group)).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });

      expect(await leftOf([group[0]!, group[2]!])).toEqual([10, 10]);
      expect(await client.hgetall(group[1]!.key)).toEqual({ field: 'value' });
      await expect(store.peek(group)).rejects.toMatchObject({ code: 'STORE_KEY_UNREADABLE' });
      await client.del(group[1]!.key);
    });

    it('records texts of admitted requests alone', async () => {
      const [one, tight] = [claim({ tag: tags[0]! }), claim({ tag: tags[1]!, policy: limited(1) })];

      await store.consume([
        { ...one, record: 'admitted' },
        { ...tight, record: 'admitted too' },
      ]);
      await store.consume([{ ...one, record: 'denied' }, tight]);

      expect(await store.recorded(one.key)).toEqual(['admitted']);
      expect(await store.recorded(tight.key)).toEqual(['admitted too']);
      expect(await client.pexpiretime(`${one.key}:notes`)).toBe(await client.pexpiretime(one.key));
    });

    it('refunds, resets and peeks them together', async () => {
      const group = tags.map((tag) => claim({ tag, cost: 4, record: 'a note' }));
      const { receipts } = await store.consume(group);

      const given = await store.refund(receipts);
      const after = await leftOf(group);
      await store.reset(group.map(({ key }) => key));

      expect([given, after]).toEqual([12, [10, 10, 10]]);
      expect(await client.exists(group[0]!.key)).toBe(0);
      expect(await store.recorded(group[0]!.key)).toEqual([]);
    });
  });

  it('sends one call for each slot for many checks of a turn', async () => {
    await Promise.all(tags.map((tag) => store.consume([claim({ tag })])));

    const calls = await evalshas(() =>
      Promise.all(
        [...tags, ...tags, ...tags].map((tag, index) => store.consume([claim({ tag, tier: `tier-${index}` })])),
      ),
    );

    // The first check leaves at once, later ones at the end of the turn.
    expect(calls).toEqual([2, 1, 1]);
  });

  it.each(['app:', '{app}:'])('keeps keys under the prefix %s of a client', async (keyPrefix) => {
    const prefixed = new Cluster(cluster.startupNodes, { keyPrefix });
    const group = tags.map((tag) => claim({ tag, record: 'a note' }));

    const { outcomes } = await redisStore(prefixed, { deadline: DEADLINE }).consume(group);
    const notes = await redisStore(prefixed, { deadline: DEADLINE }).recorded(group[0]!.key);
    prefixed.disconnect();

    expect(remainingOf(outcomes)).toEqual([9, 9, 9]);
    expect(notes).toEqual(['a note']);
    expect(await client.exists(`${keyPrefix}${group[0]!.key}`)).toBe(1);
    expect(await client.exists(group[0]!.key)).toBe(0);
  });

  it('recognises a client of a Cluster, and sends its keys by slot', async () => {
    const foreign = {
      isCluster: true,
      evalsha: (sha: string, keys: number, ...rest: (string | number)[]) => client.evalsha(sha, keys, ...rest),
      eval: (source: string, keys: number, ...rest: (string | number)[]) => client.eval(source, keys, ...rest),
    };

    const { outcomes } = await redisStore(foreign, { deadline: DEADLINE }).consume(tags.map((tag) => claim({ tag })));
    const unaware = redisStore({ ...foreign, isCluster: false }).consume(tags.map((tag) => claim({ tag })));

    expect(remainingOf(outcomes)).toEqual([9, 9, 9]);
    await expect(unaware).rejects.toMatchObject({ message: expect.stringContaining('a node of a Cluster') });
  });

  it('decides the first check of a store that knows one node', async () => {
    const sources = [];
    for (const node of [0, 1, 2, 0, 1, 2]) {
      const own = redisStore({ cluster: [cluster.startupNodes[node]!] }, { deadline: DEADLINE });
      const answers = tags.map(async (tag) => (await own.consume([claim({ tag })])).source);
      sources.push(...(await Promise.all(answers)));
      await own.close();
    }

    expect(new Set(sources)).toEqual(new Set(['redis']));
  });

  it('is not ready while one primary is full', async () => {
    const own = redisStore({ cluster: [cluster.startupNodes[0]!] }, { deadline: DEADLINE });
    await own.ready();
    const full = new Redis(cluster.nodes[2]!.port);
    await full.config('SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction');
    // Other tests have left failed calls there.
    await full.config('RESETSTAT');
    let state = 'pending';

    const ready = own.ready().then(() => (state = 'ready'));
    await until(async () => /cmdstat_evalsha:.*failed_calls=[3-9]/.test(await full.info('commandstats')));
    const early = state;
    await full.config('SET', 'maxmemory', '0');
    await ready;
    await own.close();
    full.disconnect();

    expect([early, state]).toEqual(['pending', 'ready']);
  });

  describe('that moves a slot to another node', () => {
    it('follows the slot while it moves, before and after its keys', async () => {
      const one = claim({ tag: tags[0]! });
      const unseen = ['early', 'late'].map((tier) => claim({ tag: tags[0]!, tier }));
      await store.consume([one]);
      const answers: number[] = [];

      await slots.move(tags[0]!, 2, async () => {
        // The new node creates a key that the old one does not have.
        const [known, fresh] = await Promise.all([store.consume([one]), store.consume([unseen.shift()!])]);
        answers.push(...remainingOf([...known.outcomes, ...fresh.outcomes]));
      });
      const { outcomes } = await store.consume([one]);

      expect([...answers, ...remainingOf(outcomes)]).toEqual([8, 9, 7, 9, 6]);
    });

    it('counts every check in flight once', async () => {
      const one = claim({ tag: tags[1]!, policy: limited(10_000) });
      const answers: Outcome[] = [];
      const moved = new AbortController();
      const ask = async () => {
        while (!moved.signal.aborted) {
          const batch = await Promise.all(Array.from({ length: 20 }, () => store.consume([one])));
          answers.push(...batch.flatMap(({ outcomes }) => outcomes));
        }
      };
      await store.consume([one]);

      const asking = ask();
      for (const to of [0, 2, 1]) await slots.move(tags[1]!, to);
      moved.abort();
      await asking;

      expect(await leftOf([one])).toEqual([10_000 - 1 - answers.length]);
      expect(new Set(remainingOf(answers)).size).toBe(answers.length);
    });
  });

  it('gives every key a time to live', async () => {
    const tag = newTag();
    await store.consume(everyPolicy(5).map(([, policy], index) => claim({ tag, tier: `tier-${index}`, policy })));

    const keys = ((await slots.onEach('KEYS', 'rl:*')) as string[][]).flat();
    const lives = await Promise.all(keys.map((key) => client.ttl(key)));

    // -2: it has ended meanwhile, as that of a probe.
    expect(keys.filter((_, index) => lives[index] === -1)).toEqual([]);
  });
});
