import { once } from 'node:events';
import { createServer } from 'node:http';
import { complaint, firstAnswer, RedisLog, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore, subscribe } from '@sluice/express';
import { createApp } from './app.js';
import { createLimits } from './limits.js';

/** @import { Duration } from '@sluice/express' */

// PORT says where to listen; with REDIS_URL, all processes that are started with the same URL share every limit.
// REDIS_DEADLINE is how long a request waits for Redis, before this process decides on its own.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'];
const deadline = /** @type {Duration} */ (process.env['REDIS_DEADLINE'] || '50ms');

try {
  await start();
} catch (error) {
  console.error(complaint(error, port));
  process.exitCode = 1;
}

async function start() {
  const store = url ? redisStore({ url }, { deadline }) : memoryStore();
  const server = createServer(createApp(createLimits(store)));
  const log = logOutages();
  try {
    await firstAnswer(store).catch((error) => log.away(error));
    server.listen(Number(port));
    await once(server, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(server, store));

  const { port: listening } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(welcome(listening, url));
}

/** Says when requests are decided without Redis, and when with it again. */
function logOutages() {
  const log = new RedisLog();
  subscribe('sluice:degraded', (event) => log.away(event));
  subscribe('sluice:store-call', ({ outcome }) => {
    if (outcome === 'answered') log.back();
  });
  return log;
}

/**
 * Answers what is under way, and nothing more.
 *
 * @param {import('node:http').Server} server
 * @param {import('@sluice/express').Store} store
 */
function stop(server, store) {
  server.close(() => void store.close());
  server.closeIdleConnections();
  // Those in use are closed after their answer, and not as usual when nobody has used them for five seconds.
  server.keepAliveTimeout = 1;
}
