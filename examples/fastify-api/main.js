import { complaint, firstAnswer, RedisLog, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore, subscribe } from '@sluice/fastify';
import { createApp } from './app.js';

/** @import { Duration } from '@sluice/fastify' */

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
  const app = await createApp(store);
  app.addHook('onClose', () => store.close());
  const log = logOutages();
  try {
    await firstAnswer(store).catch((error) => log.away(error));
    await app.listen({ port: Number(port) });
  } catch (error) {
    await app.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(app));

  const { port: listening } = /** @type {import('node:net').AddressInfo} */ (app.server.address());
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
 * @param {import('fastify').FastifyInstance} app
 */
async function stop(app) {
  // Connections in use close after their answer, instead of after more than an idle minute.
  app.server.keepAliveTimeout = 1;
  await app.close();
}
