import { once } from 'node:events';
import { join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { root } from '../../../scripts/root.mjs';
import { fork } from '../../support/child.js';
import { everyPolicy } from '../../support/claim.js';
import { startProgram, type Program } from '../../support/program.js';
import { withRedisStore } from '../../support/redis-store.js';
import { notices } from '@sluice/quotas';

const SIZE = 4;
const USERS = Array.from({ length: 8 }, (_, index) => `user-${index}`);
const TURNS = 320;
const MARKS = [0.5, 0.75, 0.9, 1];

describe('the notices of four processes on one Redis', () => {
  let programs: Program[];
  withRedisStore(async ({ server }) => {
    const [, year] = everyPolicy(1).find(([name]) => name === 'fixed-window of a year')!;
    const { startsOn } = year as { startsOn: string };
    const start = () => startProgram('test/redis/processes/noticing.mjs', [String(server.port), startsOn]);
    programs = await Promise.all(Array.from({ length: SIZE }, start));
  });

  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  it('are one for each mark of each client, over 10 000 charges, refunds and settlements', async () => {
    const works = (await Promise.all(programs.map((program) => program.request({ users: USERS, turns: TURNS })))) as {
      charges: number;
      notices: string[];
    }[];

    const reported = works.flatMap((work) => work.notices);
    expect(works.reduce((sum, { charges }) => sum + charges, 0)).toBe(SIZE * TURNS * USERS.length);
    expect(reported.toSorted()).toEqual(USERS.flatMap((user) => MARKS.map((mark) => `${user} ${mark}`)).toSorted());
    expect(works.filter((work) => work.notices.length > 0).length).toBeGreaterThan(1);
  });
});

describe('the notice of a process that is killed', () => {
  const redis = withRedisStore();
  beforeEach(() => redis.client.flushall());

  it.each([
    ['is given by the next process, killed before its call', 'before its call', [0.5]],
    // The mark is reported in Redis, together with the charge. This is the one notice that can be lost.
    ['is lost, killed between the reply and the event', 'behind its reply', [1]],
  ])('%s', async (_name, when, given) => {
    const marks: number[] = [];
    const limiter = createLimiter<string>({
      store: redis.store,
      key: (user) => user,
      onNotice: ({ mark }) => marks.push(mark),
      name: 'day',
      algorithm: 'fixed-window',
      limit: 10,
      window: '1d',
      notices: notices(0.5, 1),
    });

    const args = [String(redis.server.port), when];
    const child = fork(join(root, 'test/redis/processes/dying-noticer.mjs'), args, { execArgv: [] });
    const [, signal] = (await once(child, 'exit')) as [unknown, string];
    for (const cost of [1, 4]) await limiter.consume('ada', { cost });

    expect([signal, marks]).toEqual(['SIGKILL', given]);
  });
});
