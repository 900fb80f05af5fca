import { createLimiter, type Notice } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/redis';
import { everyPolicy } from '../../support/claim.js';
import { withCluster } from '../../support/cluster.js';
import { notices } from '@sluice/quotas';

const [, year] = everyPolicy(10).find(([name]) => name === 'fixed-window of a year')!;

describe('notices of a tier beside one in another slot', () => {
  const opened = withCluster();
  let store: RedisStore;

  beforeAll(() => {
    store = redisStore(opened.client, { deadline: 2_000 });
  });

  afterAll(() => store.close());

  let names = 0;

  function scene() {
    const heard: Notice[] = [];
    names += 1;
    const limiter = createLimiter<{ user: string; org: string }>({
      store,
      denyCache: false,
      onNotice: (notice) => void heard.push(notice),
      tiers: [
        {
          ...(year as object),
          name: `year-${names}`,
          key: ({ org }: { org: string }) => org,
          notices: notices(0.5),
        } as never,
        { name: `user-${names}`, key: ({ user }) => user, limit: 1, window: '1h' },
      ],
    });
    return { limiter, heard, org: `org-${names}` };
  }

  it('are not given for a charge that the other slot denies, and are given for the one that reaches the mark', async () => {
    const { limiter, heard, org } = scene();
    for (const user of ['a', 'b', 'c', 'd']) await limiter.consume({ user, org });

    const denied = await limiter.consume({ user: 'a', org });
    const heardBefore = [...heard];
    const admitted = await limiter.consume({ user: 'e', org });

    expect([denied.allowed, admitted.allowed]).toEqual([false, true]);
    expect(heardBefore).toEqual([]);
    expect(heard.map(({ mark, used }) => [mark, used])).toEqual([[0.5, 5]]);
  });

  it('are given once for requests of one turn, of which the other slot denies most', async () => {
    const { limiter, heard, org } = scene();
    const users = Array.from({ length: 6 }, (_, index) => `user ${index}`);

    const decisions = await Promise.all([...users, ...users, ...users].map((user) => limiter.consume({ user, org })));
    // As many as the charges that were undone have left room for.
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) await limiter.consume({ user, org });

    expect(decisions.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(6);
    expect(heard.map(({ mark }) => mark)).toEqual([0.5]);
  });

  it('are given for a charge of this tier alone, after one that was held back by a process that has died', async () => {
    const { limiter, heard, org } = scene();
    const alone = { tiers: [`year-${names}`] };
    for (const user of ['a', 'b', 'c', 'd']) await limiter.consume({ user, org });
    const { key } = (await limiter.inspect({ org }, alone))[0]!;
    // As the charge of such a process leaves it: five units, of whose marks those up to four were told.
    const value = BigInt((await opened.client.get(key))!);
    await opened.client.set(key, `${value + 1n} 4`, 'KEEPTTL');

    await limiter.consume({ user: 'f', org });

    expect(heard.map(({ mark, used }) => [mark, used])).toEqual([[0.5, 6]]);
  });

  it('are given for a request that is settled later, and leave its receipt as it is in one slot', async () => {
    const { limiter, heard, org } = scene();

    const decision = await limiter.consume({ user: 'a', org });
    await limiter.settle(decision, { [`year-${names}`]: 7 });
    await limiter.settle(decision, { [`year-${names}`]: 3 });
    await limiter.consume({ user: 'b', org });

    expect(heard.map(({ mark, used }) => [mark, used])).toEqual([[0.5, 7]]);
  });

  it('are given for the charge beside which the other slot fails', async () => {
    const { limiter, heard, org } = scene();
    for (const user of ['a', 'b', 'c', 'd']) await limiter.consume({ user, org });
    const { key } = (await limiter.inspect({ user: 'e', org }))[1]!;
    await opened.client.rpush(key, 'unreadable');

    const degraded = await limiter.consume({ user: 'e', org });
    await limiter.consume({ user: 'f', org });

    expect(degraded.degraded).toBe(true);
    expect(heard).toHaveLength(1);
  });
});
