import { spawnSync } from 'node:child_process';
import { PerformanceObserver } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createLimiter, memoryStore, type Decision, type Limiter, type Store } from '../../packages/core/src/index.js';
import { fairBy } from '../../packages/overload/src/fair/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run tool -- waiting-line [--callers 20000]
// The longest turn of the event loop while so many callers wait in one line, in memory and on Redis: as they enter, 100 in a turn,
// while 1 000 of them are let in, and at `store.close()`, which answers all. Beside it the longest collection of garbage, which is a
// part of its turn. Each row is a process.

const { values } = parseArgs({ options: { callers: { type: 'string', default: '20000' }, row: { type: 'string' } } });
const callers = Number(values.callers);
if (!(callers >= 2_000 && callers <= 100_000))
  throw new Error('--callers must be 2000 to 100000, such as --callers 20000');

const LIMIT = 10;
const ARRIVE_TOGETHER = 100;
const LET_IN = 1_000;
const WARM_UP = 2_000;

/** The turns of the event loop while it runs. */
class Turns {
  #longest = 0;
  #before = performance.now();
  #isOver = false;

  constructor() {
    const onTurn = () => {
      const now = performance.now();
      this.#longest = Math.max(this.#longest, now - this.#before);
      this.#before = now;
      if (!this.#isOver) setImmediate(onTurn);
    };
    setImmediate(onTurn);
  }

  /** The longest since the last call, in milliseconds. */
  take(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  end(): void {
    this.#isOver = true;
  }
}

const nextTurn = () => new Promise(setImmediate);

interface Caller {
  readonly name: string;
}

function limiterOn(store: Store, isFair: boolean): Limiter<Caller> {
  const fair = isFair && { fair: fairBy(({ name }: Caller) => name) };
  return createLimiter<Caller>({
    store,
    tiers: [
      { name: 'line', key: () => 'all', algorithm: 'concurrency', limit: LIMIT, wait: '10m', queue: 100_000, ...fair },
    ],
  });
}

async function figuresOf(store: Store, isFair: boolean, count: number) {
  const limiter = limiterOn(store, isFair);
  const turns = new Turns();
  const running: Decision[] = [];
  let answered = 0;
  const enter = async (name: string): Promise<void> => {
    const decision = await limiter.consume({ name });
    answered += 1;
    if (decision.allowed) running.push(decision);
  };
  const all: Promise<void>[] = [];
  await nextTurn();
  turns.take();
  for (let caller = 0; caller < count; caller += 1) {
    all.push(enter(`caller-${caller}`));
    if (caller % ARRIVE_TOGETHER === 0) await nextTurn();
  }
  await nextTurn();
  const figures = [turns.take()];
  for (let letIn = 0; letIn < LET_IN;) {
    const decision = running.shift();
    if (decision !== undefined) {
      await limiter.release(decision);
      letIn += 1;
    }
    await nextTurn();
  }
  figures.push(turns.take());
  await store.close();
  await nextTurn();
  figures.push(turns.take());
  turns.end();
  // Who was let in at last holds a permit.
  await Promise.all(all);
  return { longest: figures, answered };
}

if (values.row === undefined) printRows();
else await printRow(values.row);

function printRows(): void {
  const rows = [['longest turn, ms', 'entering', 'let in', 'store.close()', 'collection of garbage', 'answered']];
  for (const row of ['memory, by arrival', 'Redis, by arrival', 'memory, with fair', 'Redis, with fair']) {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), '--callers', String(callers), '--row', row];
    const { stdout, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`the row "${row}" ended with ${status}`);
    rows.push([row, ...(JSON.parse(stdout) as string[])]);
  }
  console.log(table(rows));
}

async function printRow(row: string): Promise<void> {
  const isFair = row.endsWith('with fair');
  const server = row.startsWith('Redis') ? await startRedis() : undefined;
  const open = async (): Promise<Store> => {
    if (server === undefined) return memoryStore();
    const store = redisStore({ url: server.url }, { deadline: '5s' });
    await store.ready();
    return store;
  };
  // The code is compiled when it is measured, as in a process that has run for a while.
  await figuresOf(await open(), isFair, WARM_UP);
  let collection = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collection = Math.max(collection, duration);
  });
  observer.observe({ entryTypes: ['gc'] });
  const { longest, answered } = await figuresOf(await open(), isFair, callers);
  await nextTurn();
  observer.disconnect();
  await server?.stop();
  console.log(JSON.stringify([...longest.map((each) => each.toFixed(1)), collection.toFixed(1), String(answered)]));
}
