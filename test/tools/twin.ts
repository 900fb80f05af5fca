import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { startRedis } from '../support/redis.js';
import { RedisTwin } from '../properties/twin/redis-twin.js';
import type { AlgorithmName } from '../../packages/core/src/algorithms/named/algorithms.js';
import { ALGORITHMS, MADE } from '../properties/twin/random-policy.js';
import { BalanceHistory } from '../properties/twin/balance-history.js';
import { LineHistory } from '../properties/twin/line-history.js';
import { Random } from '../properties/twin/random.js';
import { Difference, replay } from '../properties/twin/replay.js';

// npm run tool -- twin [--steps 1000000] [--seed 1] [--only token-bucket] [--run 100000]
// Replays random worlds in Lua, in TypeScript and on the model, until each algorithm has decided so many claims. Each
// `run` of them has workers and a server of its own, and its sum is printed, so that a run which is cut loses only its own.
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
  readonly difference?: string | undefined;
}

/** Worlds in flight: with few of them Redis and this thread wait for each other, which a busy machine makes long. */
const WORLDS = 32;
const NAMES = [...ALGORITHMS, ...MADE.map((algorithms) => algorithms.join(' and ')), 'mixed', 'line', 'balance'];
/** Calls of a world of lines, and of one of balances. */
const HISTORY_STEPS = { line: 60, balance: 500 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '1000000' },
      run: { type: 'string', default: '100000' },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const [steps, run] = [Number(values.steps), Number(values.run)];
  const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 40) : Number(values.seed);
  for (const name of new Set(NAMES)) {
    if (values.only !== undefined && name !== values.only) continue;
    const begun = performance.now();
    let sum: Result = { claims: 0, worlds: 0 };
    while (sum.claims < steps) {
      const { claims, worlds, difference } = await runOnce(name, first + sum.worlds, Math.min(run, steps - sum.claims));
      if (difference !== undefined) {
        console.error(difference);
        process.exitCode = 1;
        return;
      }
      sum = { claims: sum.claims + claims, worlds: sum.worlds + worlds };
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      console.log(
        `${name.padEnd(20)} ${String(sum.claims).padStart(9)} claims alike in ${sum.worlds} worlds, seeds from ${first}, ${seconds} s`,
      );
    }
  }
}

/** @param first the seed of the first world */
async function runOnce(name: string, first: number, steps: number): Promise<Result> {
  const server = await startRedis();
  const workers = availableParallelism();
  const taskOf = (index: number): Task => ({
    path: server.path,
    name,
    first: first + index,
    stride: workers,
    steps: steps / workers,
  });
  try {
    const results = await Promise.all(Array.from({ length: workers }, (_, index) => runInWorker(taskOf(index))));
    return {
      claims: results.reduce((sum, { claims }) => sum + claims, 0),
      // Seeds of the next run begin behind those of the fastest worker.
      worlds: Math.max(...results.map(({ worlds }) => worlds)) * workers,
      difference: results.find(({ difference }) => difference !== undefined)?.difference,
    };
  } finally {
    await server.stop();
  }
}

function runInWorker(task: Task): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a worker of ${task.name} ended with code ${code}`)));
  });
}

async function work({ path, name, first, stride, steps }: Task): Promise<Result> {
  const client = new Redis(path);
  const twin = new RedisTwin(client);
  const algorithms = name === 'mixed' ? ALGORITHMS : (name.split(' and ') as AlgorithmName[]);
  let claims = 0;
  let worlds = 0;
  const run = async (): Promise<void> => {
    while (claims < steps) {
      const seed = first + worlds * stride;
      worlds += 1;
      const decided = await (name === 'line' || name === 'balance'
        ? replayHistory(name, twin, seed)
        : replay(twin, algorithms, seed));
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

/** Returns the number of decided claims, or of steps of balances. @throws Difference */
async function replayHistory(name: keyof typeof HISTORY_STEPS, twin: RedisTwin, seed: number): Promise<number> {
  const random = new Random(seed);
  const history = name === 'line' ? new LineHistory(twin, random) : new BalanceHistory(twin, random);
  const steps = HISTORY_STEPS[name];
  for (let step = 0; step < steps; step += 1) await history.step();
  const [difference] = history.differences;
  if (difference !== undefined) throw new Difference(`${name}, seed ${seed}: ${JSON.stringify(difference)}`);
  return 'claims' in history ? history.claims : steps;
}

if (isMainThread) await main();
else parentPort!.postMessage(await work(workerData as Task));
