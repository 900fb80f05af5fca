import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';

/** @import { Limiter, Tier } from '@sluice/core' */
/** @import { Count, Job } from './fleet.ts' */

/** Milliseconds between rounds. */
const PACE_MS = 4;
/** Requests to each limiter in a round. */
const REQUESTS = 4;

const [, , url = '', share = '1'] = process.argv;
// A long deadline: a late reply is no outage.
const store = redisStore({ url }, { deadline: '10s' });
/** @type {Map<string, { limiter: Limiter<string>, count: Count }>} */
const limiters = new Map();

async function run() {
  while (process.connected) {
    const round = [...limiters.values()].flatMap((each) => Array.from({ length: REQUESTS }, () => consume(each)));
    await Promise.all(round);
    await delay(PACE_MS);
  }
  await store.close();
}

/** @param {{ limiter: Limiter<string>, count: Count }} counted */
async function consume({ limiter, count }) {
  const { allowed, source } = await limiter.consume('ada');
  const by = source === 'redis' ? count.redis : count.local;
  by.decisions += 1;
  if (allowed) by.admitted += 1;
}

process.on('message', (message) => {
  if (message === 'report') return process.send?.([...limiters.values()].map((each) => each.count));
  for (const { name, policy } of /** @type {Job} */ (message)) {
    const tier = /** @type {Tier<string>} */ ({
      name,
      key: (subject) => subject,
      onStoreFailure: 'local',
      ...policy,
    });
    const limiter = createLimiter({ store, denyCache: false, tiers: [tier], share: Number(share) });
    limiters.set(name, {
      limiter,
      count: { redis: { decisions: 0, admitted: 0 }, local: { decisions: 0, admitted: 0 } },
    });
  }
  return process.send?.('ready');
});
process.send?.('ready');
await run();
