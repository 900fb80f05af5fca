import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, run } from '@sluice/core';
import { fairBy } from '@sluice/overload/fair';
import { redisStore } from '@sluice/redis';

/**
 * @typedef {{ name: string, requests: number, pause: number }} Tenant
 * @typedef {{ port: number, limit: number, hold: number, isFair: boolean, tenants: readonly Tenant[] }} Duty
 */

let work = new AbortController();
/** @type {Promise<void>[]} */
let loops = [];
/**
 * Milliseconds of work, the longest wait, and by how much a timer was late at most, by tenant.
 *
 * @type {Record<string, { worked: number, waited: number, late: number }>}
 */
let results = {};
/** Requests that work, and the time from which their work counts. @type {Set<{ name: string, from: number }>} */
const working = new Set();
let close = async () => {};

const verbs = {
  /** Has so many requests of each tenant in flight or waiting at all times. @param {Duty} duty */
  async begin({ port, limit, hold, isFair, tenants }) {
    const store = redisStore({ url: `redis://127.0.0.1:${port}` }, { deadline: '5s' });
    /** @type {import('@sluice/core').Limiter<{ tenant: string }>} */
    const limiter = createLimiter({
      store,
      tiers: [
        {
          name: 'workers',
          key: () => 'all',
          algorithm: 'concurrency',
          limit,
          ...(isFair && { fair: fairBy((/** @type {{ tenant: string }} */ { tenant }) => tenant) }),
        },
      ],
    });
    await store.ready();
    work = new AbortController();
    const { signal } = work;
    close = async () => {
      await limiter.close();
      await store.close();
    };
    /** @param {Tenant} tenant */
    const loop = async ({ name, pause }) => {
      while (!signal.aborted) {
        if (pause > 0) await delay(pause);
        const askedAt = performance.now();
        await run(
          limiter,
          { tenant: name },
          async () => {
            const began = performance.now();
            const request = { name, from: began };
            resultOf(name).waited = Math.max(resultOf(name).waited, began - askedAt);
            working.add(request);
            await delay(hold);
            resultOf(name).late = Math.max(resultOf(name).late, performance.now() - began - hold);
            // A timer that is late uses the limit too.
            count(request);
            working.delete(request);
          },
          { wait: '1m' },
        );
      }
    };
    loops = tenants.flatMap((tenant) => Array.from({ length: tenant.requests }, () => loop(tenant)));
  },
  /** Forgets what has happened. */
  async forget() {
    for (const request of working) count(request);
    results = {};
  },
  async results() {
    for (const request of working) count(request);
    return results;
  },
  async end() {
    work.abort();
    await Promise.all(loops);
    await close();
  },
};

/** @param {string} name */
function resultOf(name) {
  return (results[name] ??= { worked: 0, waited: 0, late: 0 });
}

/** Counts the work of a request until now. @param {{ name: string, from: number }} request */
function count(request) {
  const now = performance.now();
  resultOf(request.name).worked += now - request.from;
  request.from = now;
}

process.on('message', (message) => {
  const { verb, argument } = /** @type {{ verb: keyof typeof verbs; argument: never }} */ (message);
  void verbs[verb](argument).then((answer) => process.send?.(answer ?? null));
});
process.on('disconnect', () => process.exit());
process.send?.(process.pid);
