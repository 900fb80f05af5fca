import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { startRedis } from '../support/redis.js';
import { RedisTwin } from '../properties/twin/redis-twin.js';
import { ALGORITHMS } from '../properties/twin/random-policy.js';
import { Difference, replay } from '../properties/twin/replay.js';

// npm run twin -- [--steps 1000000] [--seed 1] [--only token-bucket]
// Replays random worlds in Lua, in TypeScript and on the model, until each algorithm has decided so many claims.
// A difference names the seed of its world: --only its algorithm --seed that --steps 1 replays it.

interface Task {
  readonly path: string;
  readonly name: string;
  readonly first: number;
  readonly stride: number;
  readonly steps: number;
}

interface Result {
  readonly claims: number;
  readonly worlds: number;
  readonly difference?: string;
}

/** Worlds in flight, so that Redis and this thread work in parallel. */
const WORLDS = 4;
/** Rates whose groups with a permit have a fast path. */
const WITH_PERMITS = ['fixed-window and concurrency', 'sliding-window and concurrency', 'token-bucket and concurrency'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { steps: { type: 'string', default: '1000000' }, seed: { type: 'string' }, only: { type: 'string' } },
  });
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 40) : Number(values.seed);
  const server = await startRedis();
  try {
    for (const name of [...ALGORITHMS, ...WITH_PERMITS, 'mixed'].filter(
      (each) => !values.only || each === values.only,
    )) {
      const begun = performance.now();
      const workers = availableParallelism();
      const tasks = Array.from({ length: workers }, (_, index): Task => ({
        path: server.path,
        name,
        first: first + index,
        stride: workers,
        steps: Number(values.steps) / workers,
      }));
      const results = await Promise.all(tasks.map(runInWorker));
      const difference = results.find((each) => each.difference)?.difference;
      if (difference) {
        console.error(difference);
        process.exitCode = 1;
        return;
      }
      const claims = results.reduce((sum, each) => sum + each.claims, 0);
      const worlds = results.reduce((sum, each) => sum + each.worlds, 0);
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      console.log(
        `${name.padEnd(20)} ${String(claims).padStart(9)} claims alike in ${worlds} worlds, seeds from ${first}, ${seconds} s`,
      );
    }
  } finally {
    await server.stop();
  }
}

function runInWorker(task: Task): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function work({ path, name, first, stride, steps }: Task): Promise<Result> {
  const client = new Redis(path);
  const twin = new RedisTwin(client);
  const algorithms = ALGORITHMS.filter((each) => name === 'mixed' || name.split(' and ').includes(each));
  let claims = 0;
  let worlds = 0;
  const run = async (): Promise<void> => {
    while (claims < steps) {
      const seed = first + worlds * stride;
      worlds += 1;
      const decided = await replay(twin, algorithms, seed);
      claims += decided;
    }
  };
  try {
    await Promise.all(Array.from({ length: WORLDS }, run));
    return { claims, worlds };
  } catch (error) {
    if (error instanceof Difference) return { claims, worlds, difference: error.message };
    throw error;
  } finally {
    client.disconnect();
  }
}

if (isMainThread) await main();
else parentPort!.postMessage(await work(workerData as Task));
