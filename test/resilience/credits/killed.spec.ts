import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLimiter } from '../../../packages/core/src/index.js';
import { root } from '../../../scripts/root.mjs';
import { fork } from '../../support/child.js';
import { withRedisStore } from '../../support/redis-store.js';
import { until } from '../../support/until.js';
import type { Caller } from './credit-journal.js';
import { balance, creditsOf, type Posting, usage, usageOf } from '@sluice/quotas';

const LIMIT = 300;
const CREDIT = 50;
const KILLS = 4;
/** Lines of the file of a process, after which it is killed. */
const LINES = 150;

const key = ({ user }: Caller) => user;
const ada = { user: 'ada' };

/** What processes have written about one kind of call. */
class Calls {
  /** Units of those with an answer. */
  done = 0;
  /** Units of those that were in flight when their process was killed. */
  unknown = 0;

  constructor(lines: readonly string[], begun: string, ends: Readonly<Record<string, 0 | 1>>) {
    for (const line of lines) {
      const [what = '', units] = line.split(' ');
      if (what === begun) this.unknown += Number(units);
      if (!(what in ends)) continue;
      this.unknown -= Number(units);
      this.done += ends[what]! * Number(units);
    }
  }
}

describe('Credits of processes that are killed', () => {
  const redis = withRedisStore();

  it('are charged what requests keep, and credited once for each invoice, also where credits end', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-credits-'));
    const files: string[] = [];
    const linesOf = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    const start = () => {
      const file = join(directory, `spender-${files.push('')}`);
      files[files.length - 1] = file;
      const args = [String(redis.server.port), file];
      return { file, child: fork(join(root, 'test/resilience/credits/spender.mjs'), args, { execArgv: [] }) };
    };
    const kill = async ({ file, child }: ReturnType<typeof start>) => {
      await until(async () => (await linesOf(file)).length >= LINES);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    };

    const running = [start(), start()];
    for (let killed = 0; killed < KILLS; killed += 1) {
      await kill(running.shift()!);
      running.push(start());
    }
    for (const each of running) await kill(each);

    const limiter = createLimiter<Caller>({
      store: redis.store,
      tiers: [
        { name: 'month', key, algorithm: 'fixed-window', limit: LIMIT, window: '1d', usage: usage() },
        { name: 'credits', key, algorithm: balance({ covers: ['month'], split: true }), usage: usage() },
      ],
    });
    const postings = await creditsOf(limiter).postings(ada);
    const posted = (kind: Posting['kind']) =>
      postings.filter((each) => each.kind === kind).reduce((sum, { units }) => sum + units, 0);
    const left = new Map((await limiter.inspect(ada)).map(({ outcome }) => [outcome.tier, outcome.remaining]));
    const counted = new Map((await usageOf(limiter).read(ada)).map(({ tier, units }) => [tier, units]));
    const lines = (await Promise.all(files.map(linesOf))).flat();
    await rm(directory, { recursive: true });
    const charges = new Calls(lines, 'charge', { charged: 1, denied: 0 });
    const refunds = new Calls(lines, 'refund', { refunded: 1 });
    const invoices = (what: string) =>
      new Set(lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(' ')[1])).size;

    // Each script is whole or has not run, so that usage is what both have charged, to the unit.
    const [month, spent] = [counted.get('month')!, counted.get('credits')!];
    expect(LIMIT - left.get('month')!).toBe(month);
    const kept = charges.done - refunds.done;
    expect(month + spent).toBeGreaterThanOrEqual(kept - refunds.unknown);
    expect(month + spent).toBeLessThanOrEqual(kept + charges.unknown);
    const credited = left.get('credits')! + spent - posted('expiry') - posted('lost');
    // All of them are shown: credited is spent, has ended, or is left.
    expect(postings.at(-1)!.number).toBe(1);
    expect(credited).toBe(posted('credit'));
    expect(credited % CREDIT).toBe(0);
    expect(credited).toBeGreaterThanOrEqual(CREDIT * invoices('credited'));
    expect(credited).toBeLessThanOrEqual(CREDIT * invoices('credit'));
    expect(spent).toBeGreaterThan(0);
  });
});
