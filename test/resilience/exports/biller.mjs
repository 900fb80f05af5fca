import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { exportUsage } from '@sluice/quotas';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { billerSink } from './biller-sink.mjs';

/** @type {import('./biller-job.ts').BillerJob} */
const job = JSON.parse(process.argv[2] ?? '');
let steps = 0;

/** One more step. At one of them this process dies, as by kill -9. */
function step() {
  steps += 1;
  if (steps === job.dies) process.kill(process.pid, 'SIGKILL');
}

/** @template T @param {() => Promise<T>} call */
async function betweenSteps(call) {
  step();
  const answer = await call();
  step();
  return answer;
}

const request = globalThis.fetch;
globalThis.fetch = (...given) => betweenSteps(() => request(...given));

const redis = new Redis(job.port);
await redis.ping();
const pool = new Pool({ ...job.connection, max: 1 });
await pool.query('SELECT 1');
const store = redisStore(
  {
    evalsha: (sha, keys, ...rest) => betweenSteps(() => redis.evalsha(sha, keys, ...rest)),
    eval: (script, keys, ...rest) => betweenSteps(() => redis.eval(script, keys, ...rest)),
  },
  { deadline: '10s' },
);
createLimiter({ store, name: 'of the exporter', key: () => 'all', limit: 9, window: '1h' });

const sink = billerSink(job, { query: (text, values) => betweenSteps(() => pool.query(text, values)) });
const billing = exportUsage(store, { grace: '1ms', sink });
const { rows, problem = null } = await billing.run();
process.send?.({ steps, rows, problem });
await billing.close();
await store.close();
await pool.end();
redis.disconnect();
process.disconnect();
