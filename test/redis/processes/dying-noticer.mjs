import { createLimiter } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { notices } from '@sluice/quotas';

// Charges up to the mark, and is killed before its call or between the reply and the event.

const [port, when] = process.argv.slice(2);
const client = new Redis(Number(port));
await client.ping();

/** @template T @param {() => Promise<T>} call */
async function dying(call) {
  if (when === 'before its call') process.kill(process.pid, 'SIGKILL');
  const reply = await call();
  process.kill(process.pid, 'SIGKILL');
  return reply;
}

const store = redisStore(
  {
    evalsha: (sha, keys, ...rest) => dying(() => client.evalsha(sha, keys, ...rest)),
    eval: (script, keys, ...rest) => dying(() => client.eval(script, keys, ...rest)),
  },
  { deadline: '10s' },
);
const limiter = createLimiter({
  store,
  key: (/** @type {string} */ user) => user,
  name: 'day',
  algorithm: 'fixed-window',
  limit: 10,
  window: '1d',
  notices: notices(0.5, 1),
});
await limiter.consume('ada', { cost: 5 });
