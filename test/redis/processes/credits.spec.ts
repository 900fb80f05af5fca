import { withRedisStore } from '../../support/redis-store.js';
import { startProgram, type Program } from '../../support/program.js';
import type { CreditsJob, CreditsWork } from './credits-job.js';

const SIZE = 4;

describe('four processes with credits on one Redis', () => {
  let programs: Program[];
  const redis = withRedisStore(async ({ server }) => {
    const start = () => startProgram('test/redis/processes/credits.mjs', [String(server.port)]);
    programs = await Promise.all(Array.from({ length: SIZE }, start));
  });

  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  it('count one id once, and spend each unit once', async () => {
    const job: CreditsJob = { user: 'ada', credits: 25, units: 30, requests: 40 };

    const works = await Promise.all(programs.map((program) => program.request(job) as Promise<CreditsWork>));

    const sum = (what: keyof CreditsWork) => works.reduce((total, work) => total + work[what], 0);
    expect([sum('admitted'), sum('paid')]).toEqual([80, 30]);
    const keys = await redis.client.keys('rl:*:credits:*');
    expect(await redis.client.hget(keys[0]!, 'left')).toBe('0');
    // Without units it is forgotten in 30 days.
    expect(await redis.client.pttl(keys[0]!)).toBeGreaterThan(29 * 86_400_000);
  });
});
