import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, redisStore } from '@sluice/core';

/** @import { Limiter, Tier } from '@sluice/core' */
/** @import { Count, Job } from './fleet.ts' */

/** Milliseconds between rounds, in each of which every limiter is asked. */
const PACE = 4;
/** Requests of a round to each limiter. */
const REQUESTS = 4;

const [, , url = '', share = '1'] = process.argv;
// Late is not gone: here it is counted what becomes of a limit while Redis is gone.
const store = redisStore({ url }, { deadline: '10s' });
/** @type {Map<string, { limiter: Limiter<string>, count: Count }>} */
const asked = new Map();

async function ask() {
  while (process.connected) {
    const round = [...asked.values()].flatMap((each) => Array.from({ length: REQUESTS }, () => askOne(each)));
    await Promise.all(round);
    await delay(PACE);
  }
  await store.close();
}

/** @param {{ limiter: Limiter<string>, count: Count }} asked */
async function askOne({ limiter, count }) {
  const { allowed, source } = await limiter.consume('ada');
  const by = source === 'redis' ? count.redis : count.local;
  by.decisions += 1;
  if (allowed) by.admitted += 1;
}

process.on('message', (message) => {
  if (message === 'report') return process.send?.([...asked.values()].map((each) => each.count));
  for (const { name, policy } of /** @type {Job} */ (message)) {
    const tier = /** @type {Tier<string>} */ ({
      name,
      key: (subject) => subject,
      onStoreFailure: 'local',
      ...policy,
    });
    const limiter = createLimiter({ store, denyCache: false, tiers: [tier], share: Number(share) });
    asked.set(name, { limiter, count: { redis: { decisions: 0, admitted: 0 }, local: { decisions: 0, admitted: 0 } } });
  }
  return undefined;
});
process.send?.('ready');
await ask();
