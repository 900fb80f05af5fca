import { appendFileSync } from 'node:fs';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { exportUsage, usage } from '@sluice/quotas';
import { Redis } from 'ioredis';

/** @type {import('./exporter-job.ts').ExporterJob} */
const { port, file, tier, dies } = JSON.parse(process.argv[2] ?? '');
let steps = 0;

/** One more step. At one of them this process dies, as by kill -9. */
function step() {
  steps += 1;
  if (steps === dies) process.kill(process.pid, 'SIGKILL');
}

/** @template T @param {() => Promise<T>} call */
function behindStep(call) {
  step();
  return call();
}

const client = new Redis(port);
await client.ping();
const store = redisStore(
  {
    evalsha: (sha, keys, ...rest) => behindStep(() => client.evalsha(sha, keys, ...rest)),
    eval: (script, keys, ...rest) => behindStep(() => client.eval(script, keys, ...rest)),
  },
  { deadline: '10s' },
);
createLimiter({
  store,
  name: tier,
  key: () => 'all',
  algorithm: 'fixed-window',
  limit: 9,
  window: '1d',
  usage: usage(),
});

const billing = exportUsage(store, {
  grace: '1ms',
  sink(rows) {
    step();
    const half = rows.length >> 1;
    appendFileSync(file, linesOf(rows.slice(0, half)));
    step();
    appendFileSync(file, linesOf(rows.slice(half)));
    step();
  },
});

/** @param {readonly import('@sluice/quotas').UsageRow[]} rows */
function linesOf(rows) {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

const { rows, problem = null } = await billing.run();
process.send?.({ steps, rows, problem });
await billing.close();
await store.close();
client.disconnect();
process.disconnect();
