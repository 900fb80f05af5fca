import { createLimiter, type Notice } from '@sluice/core';
import { redisStore, type RedisStore } from '@sluice/core/redis';
import { everyPolicy } from '../../support/claim.js';
import { withCluster } from '../../support/cluster.js';
import '@sluice/core/quotas';

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
        { ...(year as object), name: `year-${names}`, key: ({ org }: { org: string }) => org, notices: [0.5] } as never,
        { name: `user-${names}`, key: ({ user }) => user, limit: 1, window: '1h' },
      ],
    });
    return { limiter, heard, org: `org-${names}` };
  }

  it('are given for the charge that the other slot denies, and once', async () => {
    const { limiter, heard, org } = scene();
    for (const user of ['a', 'b', 'c', 'd']) await limiter.consume({ user, org });

    const denied = await limiter.consume({ user: 'a', org });
    const admitted = await limiter.consume({ user: 'e', org });

    expect([denied.allowed, admitted.allowed]).toEqual([false, true]);
    expect(heard.map(({ mark, used }) => [mark, used])).toEqual([[0.5, 5]]);
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
