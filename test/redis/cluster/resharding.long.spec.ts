import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { MaybePromise, Store } from '@sluice/core';
import type { Answer, Claim } from '@sluice/core/own-store';
import { redisStore } from '@sluice/redis';
import { claim } from '../../support/claim.js';
import { startCluster, type RedisCluster } from '../../support/cluster.js';
import { slotsOf, type Slots } from './slots.js';

/** More than a busy machine needs. */
const DEADLINE = 1_000;

/** The error of a call with keys on two nodes, which redirect it to each other. */
const TORN = /Too many Cluster redirections|TRYAGAIN/;

const limited = { algorithm: 'fixed-window', limit: 1_000_000, window: '1h' } as const;

describe.each([
  [
    'a client of the store',
    (cluster: RedisCluster) => redisStore({ cluster: cluster.startupNodes }, { deadline: DEADLINE }),
  ],
  [
    "a caller's client",
    (cluster: RedisCluster) => redisStore(track(new Cluster(cluster.startupNodes)), { deadline: DEADLINE }),
  ],
])('redisStore while slots move under traffic, with %s', (_what, open) => {
  let cluster: RedisCluster;
  let slots: Slots;
  let store: Store;

  beforeAll(async () => {
    cluster = await startCluster();
    slots = await slotsOf(cluster);
    store = open(cluster);
  });

  afterAll(async () => {
    await store.close();
    for (const client of clients.splice(0)) client.disconnect();
    slots.close();
    await cluster.stop();
  });

  /** Repeats a request for each group while an action runs. */
  const during = async (groups: readonly (readonly Claim[])[], act: () => Promise<unknown>, target = store) => {
    const answered = groups.map(() => 0);
    const problems: string[] = [];
    const over = new AbortController();
    const callers = groups.map(async (group, index) => {
      while (!over.signal.aborted) {
        try {
          await target.consume(group);
          answered[index]! += 1;
        } catch (error) {
          problems.push((error as Error).message);
        }
        await delay(2);
      }
    });
    await act();
    over.abort();
    await Promise.all(callers);
    return { answered, problems };
  };
  /** The number of such refusals since the start of the nodes. */
  const refusals = async (word: string) => {
    const statistics = (await slots.onEach('INFO', 'errorstats')) as string[];
    return statistics.reduce(
      (sum, text) => sum + Number(new RegExp(`errorstat_${word}:count=(\\d+)`).exec(text)?.[1] ?? 0),
      0,
    );
  };
  const backAndForth = async (tag: string) => {
    for (const to of [1, 2, 0, 1, 0]) await slots.move(tag, to, () => delay(15));
  };

  it('leaves every decision to Redis, and counts each once', async () => {
    const [tag, beside, other] = await Promise.all([slots.tagOn(0), slots.tagOn(0), slots.tagOn(2)]);
    const groups = [
      [claim({ tag, tier: 'one', policy: limited })],
      [claim({ tag, tier: 'hour', policy: limited }), claim({ tag, tier: 'day', policy: limited })],
      [claim({ tag, tier: 'one-of-two', policy: limited }), claim({ tag: other, policy: limited })],
      [claim({ tag: beside, policy: limited })],
    ];
    for (const group of groups) await store.consume(group);

    const { answered, problems } = await during(groups, () => backAndForth(tag));
    const counted = await Promise.all(groups.map(async (group) => (await store.peek(group)).outcomes[0]!));

    expect(problems).toEqual([]);
    expect(counted.map(({ limit, remaining }) => limit - remaining)).toEqual(answered.map((count) => count + 1));
    expect(await refusals('MOVED')).toBeGreaterThan(0);
    expect(await refusals('ASK')).toBeGreaterThan(0);
  });

  it('fails only new requests of several tiers, and counts none of them', async () => {
    const [tag, beside] = await Promise.all([slots.tagOn(0), slots.tagOn(0)]);
    const known = claim({ tag: beside, policy: limited });
    const fresh = ['hour', 'day'].map((tier) => claim({ tag, tier, policy: limited }));
    await store.consume([known]);
    const refused: string[] = [];

    const { answered, problems } = await during([[known]], () =>
      slots.move(tag, 1, async () => {
        refused.push(await codeOf(store.consume(fresh)));
      }),
    );
    const { outcomes } = await store.consume(fresh);

    expect(refused).toEqual([expect.stringMatching(TORN), expect.stringMatching(TORN)]);
    expect(await refusals('TRYAGAIN')).toBeGreaterThan(0);
    expect(outcomes.map(({ limit, remaining }) => limit - remaining)).toEqual([1, 1]);
    expect(problems).toEqual([]);
    expect(answered[0]).toBeGreaterThan(0);
  });

  it('follows slots to a new node', async () => {
    const tag = await slots.tagOn(0);
    const one = claim({ tag, policy: limited });
    await store.consume([one]);
    await cluster.add();
    const grown = await slotsOf(cluster);

    const { answered, problems } = await during([[one]], async () => {
      await grown.move(tag, 3, () => delay(50));
      await delay(100);
    });
    const { outcomes } = await store.peek([one]);
    grown.close();

    expect(outcomes[0]!.limit - outcomes[0]!.remaining).toBe(answered[0]! + 1);
    // A command for a node without a connection fails, and is not sent later.
    expect(problems.length).toBeLessThan(10);
  });

  it('does not open the breaker of the node', async () => {
    const [tag, beside] = await Promise.all([slots.tagOn(0), slots.tagOn(0)]);
    const known = claim({ tag: beside, policy: limited });
    const fresh = ['hour', 'day'].map((tier) => claim({ tag, tier, policy: limited }));
    const other = open(cluster);
    await other.consume([known]);
    const answers: string[] = [];

    await slots.move(tag, 1, async () => {
      await during([fresh], () => delay(400), other);
      answers.push(await codeOf(other.consume([known])));
    });
    await other.close();

    expect(answers).toEqual(['redis', 'redis']);
  });
});

/** The source of an answer, or its error. */
async function codeOf(answer: MaybePromise<Answer>): Promise<string> {
  try {
    return (await answer).source;
  } catch (error) {
    return (error as Error).message;
  }
}

const clients: Cluster[] = [];

function track(client: Cluster): Cluster {
  clients.push(client);
  return client;
}
