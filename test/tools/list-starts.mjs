import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createGate, createLimiter, subscribe } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { redisStore } from '@sluice/redis';

// A process of list-starts.ts. It checks a key each 2 ms: first without a list, then while a list loads.
const [url = '', listed] = process.argv.slice(2);
const BEFORE_MS = 500;
let breakers = 0;
subscribe('sluice:breaker', () => (breakers += 1));

const store = redisStore({ url });
const limiter = createLimiter({ store, name: 'ada', key: () => 'ada', limit: 1_000_000, window: '1h' });
await store.ready();
const start = performance.now();
const before = await checksUntil(() => performance.now() - start >= BEFORE_MS);

const since = performance.now();
const deny = ipList({ name: 'long', store });
const gate = createGate({ limiter, deny });
const request = Object.assign(new IncomingMessage(new Socket()), { ip: listed });
const first = gate.admit(request, new ServerResponse(request));
let load = 0;
const loaded = deny.ready().then(() => (load = performance.now() - since));
const during = await checksUntil(() => load > 0);
await loaded;
const admission = await first;
const entries = deny.entries().length;

process.once('disconnect', () => void Promise.resolve(store.close()).then(() => process.exit()));
process.send?.({
  entries,
  load,
  waitBefore: before.longest,
  waitWhile: during.longest,
  checks: during.count,
  local: during.local,
  breakers,
  first: admission.state === 'denied' ? admission.problem.status : 200,
});

/** @param {() => boolean} isOver */
async function checksUntil(isOver) {
  let [longest, count, local] = [0, 0, 0];
  while (!isOver()) {
    const sentAt = performance.now();
    // The check is due 2 ms later: what blocks this process counts as its wait too.
    await delay(2);
    const { source } = await limiter.consume({});
    longest = Math.max(longest, performance.now() - sentAt - 2);
    count += 1;
    if (source !== 'redis') local += 1;
  }
  return { longest, count, local };
}
