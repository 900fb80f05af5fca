import { once } from 'node:events';
import { createServer } from 'node:http';
import { complaint, firstAnswer, RedisLog, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore, subscribe } from '@sluice/express';
import { createApp } from './app.js';
import { createLimits } from './limits.js';

/** @import { Duration } from '@sluice/express' */

// PORT is the port to listen on. All processes with the same REDIS_URL share every limit.
// REDIS_DEADLINE is the longest wait of a request for Redis.
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

/** Logs the start and the end of an outage. */
function logOutages() {
  const log = new RedisLog();
  subscribe('sluice:degraded', (event) => log.away(event));
  subscribe('sluice:store-call', ({ outcome }) => {
    if (outcome === 'answered') log.back();
  });
  return log;
}

/**
 * Answers the requests in flight, and no others.
 *
 * @param {import('node:http').Server} server
 * @param {import('@sluice/express').Store} store
 */
function stop(server, store) {
  server.close(() => void store.close());
  server.closeIdleConnections();
  // Connections in use close after their answer, instead of after five idle seconds.
  server.keepAliveTimeout = 1;
}
