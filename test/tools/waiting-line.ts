import { parseArgs } from 'node:util';
import { createLimiter, memoryStore, type Decision, type Limiter, type Store } from '../../packages/core/src/index.js';
import '../../packages/core/src/fair/index.js';
import { redisStore } from '../../packages/core/src/redis/index.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run waiting-line [-- --callers 20000]
// The longest turn of the event loop while so many callers wait in one line, in memory and on Redis: as they enter, 100 in a turn,
// while 1 000 of them are let in, and at `store.close()`, which answers all.

const { values } = parseArgs({ options: { callers: { type: 'string', default: '20000' } } });
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
  const fair = isFair && { fair: { by: ({ name }: Caller) => name } };
  return createLimiter<Caller>({
    store,
    tiers: [
      { name: 'line', key: () => 'all', algorithm: 'concurrency', limit: LIMIT, wait: '10m', queue: 100_000, ...fair },
    ],
  });
}

async function rowOf(where: string, open: () => Promise<Store>, isFair: boolean): Promise<(string | number)[]> {
  // The code is compiled when it is measured, as in a process that has run for a while.
  await figuresOf(await open(), isFair, WARM_UP);
  const { longest, answered } = await figuresOf(await open(), isFair, callers);
  return [`${where}, ${isFair ? 'with fair' : 'by arrival'}`, ...longest.map((each) => each.toFixed(1)), answered];
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

const rows: (string | number)[][] = [['longest turn, ms', 'entering', 'let in', 'store.close()', 'answered']];
const server = await startRedis();
const inRedis = async () => {
  const store = redisStore({ url: server.url }, { deadline: '5s' });
  await store.ready();
  return store;
};
for (const isFair of [false, true]) {
  rows.push(await rowOf('memory', async () => memoryStore(), isFair));
  rows.push(await rowOf('Redis', inRedis, isFair));
}
await server.stop();
console.log(table(rows));
