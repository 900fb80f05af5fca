import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { createLimiter, memoryStore, type Limiter, type Store } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { createDashboard } from '@sluice/dashboard';
import { startProgram } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { closeServer, listen } from '../support/site.js';

// Run by `npm run tool -- dashboard-cost`: what a dashboard costs a decision of two tiers, without a page and with ten open pages.
// Rounds take turns, because a machine is not equally fast all the time.
const ROUNDS = 5;
const ROUND_MS = 500;
const CONCURRENT = 64;
const USERS = Array.from({ length: 1_000 }, (_, index) => `user-${index}`);
const NONE = 1;
const MANY = 50_000_000;

const redis = await startRedis();
const stores: readonly (readonly [name: string, store: Store])[] = [
  ['memory', memoryStore()],
  ['Redis', redisStore({ url: redis.url }, { deadline: '5s' })],
];
for (const [name, store] of stores) {
  for (const [outcome, limit] of [['admitted', MANY] as const, ['denied', NONE] as const]) {
    await report(`${name}, ${outcome}`, limiterOn(store, outcome, limit), store);
  }
  await store.close();
}
await redis.stop();

function limiterOn(store: Store, name: string, limit: number): Limiter<string> {
  const key = (user: string) => user;
  return createLimiter<string>({
    store,
    // A denial from the deny cache costs no call, so the calls of a Redis would not be measured.
    denyCache: false,
    tiers: [
      { name: `${name}-minute`, key, limit, window: '1m' },
      { name: `${name}-hour`, key, limit: MANY, window: '1h' },
    ],
  });
}

async function report(title: string, limiter: Limiter<string>, store: Store): Promise<void> {
  await microseconds(limiter);
  const costs: Record<'none' | 'counting' | 'pages', number[]> = { none: [], counting: [], pages: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.none.push(await microseconds(limiter));
    const dashboard = createDashboard({ store, authorize: true });
    const server = createServer(dashboard.handle);
    const address = await listen(server);
    costs.counting.push(await microseconds(limiter));
    const url = `http://127.0.0.1:${'port' in address ? address.port : 0}/`;
    const watchers = await startProgram('test/dashboard/watchers.mjs', [url]);
    costs.pages.push(await microseconds(limiter));
    dashboard.close();
    await watchers.stop();
    await closeServer(server);
  }
  // Of neighbours in time, because the machine's speed drifts.
  const added = (each: readonly number[], before: readonly number[]) =>
    `${((median(each.map((cost, round) => cost / before[round]!)) - 1) * 100).toFixed(1)} %`;
  const { none, counting, pages } = costs;
  console.log(
    `${title}: ${median(none).toFixed(2)} µs; counting adds ${added(counting, none)}, ten pages add ${added(pages, counting)} to that`,
  );
}

/** Of a decision, with many at the same time. */
async function microseconds(limiter: Limiter<string>): Promise<number> {
  const start = performance.now();
  let decisions = 0;
  const decide = async () => {
    while (performance.now() - start < ROUND_MS) {
      for (let times = 0; times < 20; times += 1) {
        decisions += 1;
        await limiter.consume(USERS[decisions % USERS.length]!);
      }
      // A store in memory never gives the turn to others by itself.
      await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, decide));
  return ((performance.now() - start) * 1e3) / decisions;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
