import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, subscribe } from '@sluice/core';
import { redisStore } from '@sluice/core/redis';
import { Redis } from 'ioredis';

const [port, journalPort, name = '', limit, hold = ''] = process.argv.slice(2);

// It counts what runs in all processes, and outlives the Redis of the limiter.
const journal = new Redis(Number(journalPort));
const COUNT = `
  redis.call('HINCRBY', 'running', ARGV[1], ARGV[2])
  local running = 0
  for _, each in ipairs(redis.call('HVALS', 'running')) do running = running + each end
  if running > tonumber(redis.call('GET', 'most') or 0) then redis.call('SET', 'most', running) end
`;
/** @param {1 | -1} change */
const count = (change) => journal.eval(COUNT, 0, name, change);

const store = redisStore({ url: `redis://127.0.0.1:${port}` }, { deadline: '1s' });
const limiter = createLimiter({
  store,
  tiers: [
    {
      name: 'running',
      key: () => 'all',
      algorithm: 'concurrency',
      limit: Number(limit),
      hold: /** @type {'1s'} */ (hold),
      onStoreFailure: 'deny',
    },
  ],
});
let lapsed = 0;
subscribe('sluice:permit-lapsed', ({ units }) => void (lapsed += units));
await store.ready();

/** @type {import('@sluice/core').Decision[]} */
const kept = [];
let work = new AbortController();
/** @type {Promise<void>[]} */
let callers = [];

async function take() {
  const decision = await limiter.consume({});
  if (decision.allowed) await count(1);
  return decision;
}

/** @param {import('@sluice/core').Decision} decision */
async function end(decision) {
  await count(-1);
  await limiter.release(decision);
}

/** @param {AbortSignal} signal */
async function callUntil(signal) {
  while (!signal.aborted) {
    const decision = await take();
    await delay(5 + Math.random() * 30);
    if (decision.allowed) await end(decision);
  }
}

/** @type {Record<string, (units: number) => Promise<unknown>>} */
const verbs = {
  /** Requests that run until `end`. */
  async keep(times) {
    const decisions = await Promise.all(Array.from({ length: times }, take));
    kept.push(...decisions.filter(({ allowed }) => allowed));
    return decisions.filter(({ allowed }) => allowed).length;
  },
  async end() {
    await Promise.all(kept.splice(0).map(end));
  },
  /** Requests of some milliseconds, one after the other, until `rest`. */
  async work(size) {
    work = new AbortController();
    callers = Array.from({ length: size }, () => callUntil(work.signal));
  },
  async rest() {
    work.abort();
    await Promise.all(callers);
  },
  async lapsed() {
    return lapsed;
  },
};

process.on('message', (message) => {
  const { verb, units } = /** @type {{ verb: string; units: number }} */ (message);
  void verbs[verb]?.(units).then((answer) => process.send?.(answer ?? null));
});
process.on('disconnect', () => process.exit());
process.send?.(process.pid);
