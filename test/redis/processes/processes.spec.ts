import { claim, everyPolicy, newTag } from '../../support/claim.js';
import { withRedisStore } from '../../support/redis-store.js';
import { startProgram, type Program } from '../../support/program.js';
import type { Job, Work } from './job.js';

const SIZE = 4;
const guesses = Array<number>(25).fill(1);

describe('four processes on one Redis', () => {
  let programs: Program[];
  const redis = withRedisStore(async ({ server }) => {
    const start = () => startProgram('test/redis/processes/worker.mjs', [String(server.port)]);
    programs = await Promise.all(Array.from({ length: SIZE }, start));
  });

  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  const workOn = (jobs: readonly Job[]) =>
    Promise.all(programs.map((program, index) => program.request(jobs[index]!) as Promise<Work>));
  const all = (job: Job) => workOn(Array.from({ length: SIZE }, () => job));
  const sum = (works: readonly Work[], what: keyof Work) => works.reduce((total, work) => total + work[what], 0);
  const leftOf = async (job: Job) => {
    const { outcomes } = await redis.store.peek(job.claims.map((each) => claim(each)));
    return outcomes.map(({ remaining }) => remaining);
  };

  const policies = everyPolicy(100);
  const tierOf = (tag: string, tier: string, limit: number, name: string) => {
    const [, policy] = everyPolicy(limit).find(([each]) => each === name)!;
    return { tier, key: `rl:{${tag}}:${tier}:xx000`, policy };
  };

  it.each(policies)('admit exactly the limit by %s', async (name) => {
    const job = { claims: [tierOf(newTag(), 'hour', 100, name)], costs: Array<number>(20).fill(1), rounds: 5 };

    const works = await all(job);

    expect([sum(works, 'checks'), sum(works, 'admitted')]).toEqual([400, 100]);
    expect(await leftOf(job)).toEqual([0]);
  });

  it.each(policies)('admit exactly the limit by %s when costs differ', async (name) => {
    const costs = [3, 1, 7, 2, 1, 1, 5, 1, 1, 1];
    const job = { claims: [tierOf(newTag(), 'hour', 100, name)], costs, rounds: 8 };

    const works = await all(job);

    expect(sum(works, 'units')).toBe(100);
    expect(await leftOf(job)).toEqual([0]);
  });

  it.each(policies)('charge none of three tiers when %s denies', async (name) => {
    const tag = newTag();
    const claims = [
      tierOf(tag, 'wide', 150, 'token-bucket'),
      tierOf(tag, 'tight', 70, name),
      tierOf(tag, 'log', 100, 'sliding-window-log'),
    ];
    const job = { claims, costs: [1, 2, 1, 3, 1, 1, 1, 1], rounds: 8 };

    const works = await all(job);

    expect(sum(works, 'units')).toBe(70);
    expect(await leftOf(job)).toEqual([80, 0, 30]);
  });

  it('share one tier, and have one each', async () => {
    const shared = newTag();
    const jobs = Array.from({ length: SIZE }, (_, index) => ({
      claims: [tierOf(shared, 'all', 100, 'sliding-window'), tierOf(newTag(), `own-${index}`, 30, 'fixed-window')],
      costs: Array<number>(10).fill(1),
      rounds: 6,
    }));

    const works = await workOn(jobs);

    const left = await Promise.all(jobs.map((job) => leftOf(job)));
    expect(sum(works, 'admitted')).toBe(100);
    expect(left).toEqual(works.map(({ admitted }) => [0, 30 - admitted]));
  });

  it('admit at most one more than the limit of 100 guesses at the same time', async () => {
    const policy = { algorithm: 'backoff', limit: 5, window: '1d', delays: ['1h'], forgive: 'all' } as const;
    const job = { claims: [{ ...tierOf(newTag(), 'account', 5, 'fixed-window'), policy }], costs: guesses, rounds: 1 };

    const works = await all(job);

    expect([sum(works, 'checks'), sum(works, 'admitted')]).toEqual([100, 6]);
  });

  it('ban a client together, and count no strike while it is banned', async () => {
    const tag = newTag();
    const policy = { algorithm: 'backoff', limit: 10, window: '1d', delays: ['10m', '1h'], forgive: 'one' } as const;
    const minute = tierOf(tag, 'minute', 5, 'fixed-window');
    const ban = { ...tierOf(tag, 'ban', 5, 'fixed-window'), policy, charge: 'denied' as const };

    const works = await all({ claims: [minute, ban], costs: guesses, rounds: 1 });

    const { outcomes } = await redis.store.peek([claim(ban)]);
    expect(sum(works, 'admitted')).toBe(5);
    expect(outcomes).toMatchObject([{ allowed: false, remaining: 0 }]);
    expect(outcomes[0]!.retryAfter).toBeGreaterThan(540_000);
    expect(outcomes[0]!.retryAfter).toBeLessThanOrEqual(600_000);
  });
});
