import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter } from '@sluice/core';
import { balance, creditsOf } from '@sluice/quotas';
import { root } from '../../../scripts/root.mjs';
import { fork } from '../../support/child.js';
import { withRedisStore } from '../../support/redis-store.js';
import { until, untilAnswered } from '../../support/until.js';

const PROCESSES = 4;
const ROUNDS = 6;
const CUSTOMERS = 400;
const KILLS = 8;
/** Of each customer: two grants that end one after the other, and units that stay. */
const GRANTS = [40, 30];
const STAYS = 20;

describe('Balances of several processes on one Redis', () => {
  const redis = withRedisStore();
  let folder: string;
  let files: string[] = [];

  beforeEach(async () => {
    files = [];
    folder = await mkdtemp(join(tmpdir(), 'sluice-low-'));
    await redis.client.flushall();
  });

  afterEach(() => rm(folder, { recursive: true }));

  function start(...args: string[]) {
    const file = join(folder, `process-${files.length}`);
    files.push(file);
    const path = join(root, 'test/resilience/credits/balance-process.mjs');
    return fork(path, [String(redis.server.port), file, ...args], { execArgv: [] });
  }

  async function lines(): Promise<readonly string[]> {
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
    return texts.flatMap((text) => text.split('\n').slice(0, -1));
  }

  async function end(child: ReturnType<typeof start>): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  it('are low once on the way down, and again only after a credit above the mark', async () => {
    const children = Array.from({ length: PROCESSES }, () => start());
    await Promise.all(children.map((child) => once(child, 'message')));
    const each = (task: string, units: number, some = children) =>
      Promise.all(
        some.map(async (child) => {
          child.send({ task, units });
          await once(child, 'message');
        }),
      );
    let told = 0;
    const marks = async () => {
      const all = await lines();
      const since = all.length - told;
      told = all.length;
      return { since, all: all.map((line) => line.split(' ').slice(1).join(' ')).toSorted() };
    };
    const counts: number[][] = [];

    for (let round = 0; round < ROUNDS; round += 1) {
      const way: number[] = [];
      const after = async (task: string, units: number, some?: typeof children) => {
        await each(task, units, some);
        way.push((await marks()).since);
      };
      await after('credit', 600, children.slice(0, 1));
      // Down to 0, from four processes at a time.
      await after('spend', 200);
      // Up again by refunds, and down.
      await after('refund', 30);
      await after('spend', 200);
      // Above the lower mark, and down.
      await after('credit', 30, children.slice(1, 2));
      await after('spend', 200);
      counts.push(way);
    }
    const { all } = await marks();
    await Promise.all(children.map(end));

    expect(counts).toEqual(Array.from({ length: ROUNDS }, () => [0, 2, 0, 0, 0, 1]));
    expect(all).toEqual([...Array(2 * ROUNDS).fill('10 spent'), ...Array(ROUNDS).fill('50 spent')]);
  });

  it('have one posting for each grant that ends, although processes that end them are killed', async () => {
    const key = (user: string) => user;
    const limiter = createLimiter<string>({
      store: redis.store,
      tiers: [{ name: 'credits', key, algorithm: balance() }],
    });
    const users = Array.from({ length: CUSTOMERS }, (_, place) => `customer ${place}`);
    const begin = Date.now() + 10_000;
    await Promise.all(
      users.map(async (user, place) => {
        await creditsOf(limiter).credit(user, STAYS, { id: 'bought' });
        for (const [order, units] of GRANTS.entries()) {
          const expiresAt = begin + order * 3_000 + (place % 60) * 50;
          await creditsOf(limiter).credit(user, units, { id: `given ${order}`, expiresAt });
        }
      }),
    );
    const expired = async () => {
      const keys = await redis.client.keys('*credits:ba*');
      const hashes = await Promise.all(keys.map((each) => redis.client.hgetall(each)));
      const postings = hashes.map((fields) =>
        Object.entries(fields).flatMap(([name, text]) => (/^p\d+$/.test(name) ? [text] : [])),
      );
      return postings.map((texts) =>
        texts.flatMap((text) => (text.startsWith('3,') ? [Number(text.split(',')[2])] : [])),
      );
    };

    const children = Array.from({ length: PROCESSES }, () => start('1s'));
    await until(() => Date.now() > begin);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ran = (await lines()).length;
      await until(async () => (await lines()).length > ran + 3);
      await end(children.shift()!);
      children.push(start('1s'));
    }
    // The lock of a process that was killed lasts for a minute.
    const isDone = async () => (await expired()).flat().length >= CUSTOMERS * GRANTS.length;
    await untilAnswered(isDone);
    const done = await expired();
    const ran = (await lines()).length;
    await until(async () => (await lines()).length > ran + PROCESSES);
    await Promise.all(children.map(end));

    const notices = (await lines()).filter((line) => !line.startsWith('ran ')).toSorted();
    const twice = notices.filter((line, place) => notices[place - 1] === line);
    expect(done.map((units) => units.toSorted((one, other) => one - other))).toEqual(
      Array.from({ length: CUSTOMERS }, () => [-40, -30]),
    );
    expect(await expired()).toEqual(done);
    expect(twice).toEqual([]);
    // One for each mark that was reached, less those of processes that died with them: 32 balances at a time.
    expect(notices.length).toBeGreaterThan(CUSTOMERS - 32 * KILLS);
    expect(notices.length).toBeLessThanOrEqual(CUSTOMERS);
  }, 400_000);
});
