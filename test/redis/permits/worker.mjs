import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, subscribe } from '@sluice/core';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';

const COUNT = `
  redis.call('HINCRBY', 'running', ARGV[1], ARGV[2])
  local running = 0
  for _, each in ipairs(redis.call('HVALS', 'running')) do running = running + each end
  if running > tonumber(redis.call('GET', 'most') or 0) then redis.call('SET', 'most', running) end
`;

/** @typedef {{ port: number, journalPort: number, name: string, limit: number, hold: string }} Duty */

/** @type {Awaited<ReturnType<typeof begin>>} */
let duty;

/** A store, a limiter and a journal for one test. @param {Duty} duty */
async function begin({ port, journalPort, name, limit, hold }) {
  // It counts what runs in all processes, and outlives the Redis of the limiter.
  const journal = new Redis(journalPort);
  const store = redisStore({ url: `redis://127.0.0.1:${port}` }, { deadline: '1s' });
  const limiter = createLimiter({
    store,
    tiers: [
      {
        name: 'running',
        key: () => 'all',
        algorithm: 'concurrency',
        limit,
        hold: /** @type {'1s'} */ (hold),
        onStoreFailure: 'deny',
      },
    ],
  });
  lapsed = 0;
  await store.ready();
  return {
    limiter,
    /** @param {1 | -1} change */
    count: (change) => journal.eval(COUNT, 0, name, change),
    async close() {
      await store.close();
      journal.disconnect();
    },
  };
}

let lapsed = 0;
subscribe('sluice:permit-lapsed', ({ units }) => void (lapsed += units));

/** @type {import('@sluice/core').Decision[]} */
let kept = [];
let work = new AbortController();
/** @type {Promise<void>[]} */
let callers = [];

async function take() {
  const decision = await duty.limiter.consume({});
  if (decision.allowed) await duty.count(1);
  return decision;
}

/** @param {import('@sluice/core').Decision} decision */
async function end(decision) {
  await duty.count(-1);
  await duty.limiter.release(decision);
}

/** @param {AbortSignal} signal */
async function callUntil(signal) {
  while (!signal.aborted) {
    const decision = await take();
    await delay(5 + Math.random() * 30);
    if (decision.allowed) await end(decision);
  }
}

const verbs = {
  /** @param {Duty} next */
  async begin(next) {
    duty = await begin(next);
  },
  /** Forgets what it has run. */
  async close() {
    work.abort();
    await Promise.all(callers);
    callers = [];
    kept = [];
    await duty.close();
  },
  /** Requests that run until `end`. */
  async keep(/** @type {number} */ times) {
    const decisions = await Promise.all(Array.from({ length: times }, take));
    kept.push(...decisions.filter(({ allowed }) => allowed));
    return decisions.filter(({ allowed }) => allowed).length;
  },
  async end() {
    await Promise.all(kept.splice(0).map(end));
  },
  /** Requests of some milliseconds, one after the other, until `rest`. */
  async work(/** @type {number} */ size) {
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
  const { verb, argument } = /** @type {{ verb: keyof typeof verbs; argument: never }} */ (message);
  void verbs[verb](argument).then((answer) => process.send?.(answer ?? null));
});
process.on('disconnect', () => process.exit());
process.send?.(process.pid);
