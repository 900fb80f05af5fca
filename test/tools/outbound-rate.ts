import { Redis } from 'ioredis';
import { createLimiter, type Limiter, memoryStore, run, type Tier } from '../../packages/core/src/index.js';
import { redisStore } from '../../packages/redis/src/index.js';
import { startRedis } from '../support/redis.js';
import { table } from './table.js';

// npm run tool -- outbound-rate
// How fast `run` begins calls with the tiers of docs/guide/outbound.md, and how many begin out of order.

interface Call {
  readonly api: string;
}

const CALLS = 90;
const TAKES_MS = 3;
const key = ({ api }: Call) => api;
const rate: Tier<Call> = { name: 'api-rate', key, algorithm: 'token-bucket', limit: 100, window: '1s', burst: 10 };
const running: Tier<Call> = { name: 'api-running', key, algorithm: 'concurrency', limit: 5 };
const pause: Tier<Call> = { name: 'api-pause', key, algorithm: 'pause' };
/** A burst of 10, then 100 a second. */
const ALLOWED_MS = 800;

const kinds: readonly (readonly [name: string, tiers: readonly Tier<Call>[], calls: number])[] = [
  ['rate, permits and pause', [rate, running, pause], CALLS],
  ['rate', [rate], CALLS],
  ['permits', [running], CALLS],
  ['no limit near', [{ ...rate, name: 'far', limit: 1e6, burst: 1e6 }], 1_000],
];

const server = await startRedis();
const client = new Redis(server.port);
const rows: (string | number)[][] = [['', 'memory, ms', 'overtaken', 'Redis, ms', 'overtaken']];
for (const [name, tiers, calls] of kinds) {
  const row: (string | number)[] = [`${name}, ${calls} calls`];
  for (const store of [memoryStore(), redisStore(client, { deadline: '10s' })]) {
    await measure(createLimiter({ store, tiers }), `warm-up of ${name}`, 10);
    const { took, overtaken } = await measure(createLimiter({ store, tiers }), name, calls);
    if (tiers.length > 1 && (took > 2 * ALLOWED_MS || overtaken > 0)) process.exitCode = 1;
    row.push(took, overtaken);
    await store.close();
  }
  rows.push(row);
}
console.log(table(rows));
client.disconnect();
await server.stop();

async function measure(limiter: Limiter<Call>, api: string, calls: number) {
  const begun: number[] = [];
  const start = performance.now();
  const call = async (number: number) =>
    run(
      limiter,
      { api },
      async () => {
        begun.push(number);
        await new Promise((resolve) => setTimeout(resolve, TAKES_MS));
      },
      { wait: '30s' },
    );
  await Promise.all(Array.from({ length: calls }, (_, number) => call(number)));
  const took = Math.round(performance.now() - start);
  return {
    took,
    overtaken: begun.filter((number, place) => begun.slice(0, place).some((each) => each > number)).length,
  };
}
