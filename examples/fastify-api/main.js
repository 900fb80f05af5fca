import { complaint, firstAnswer, RedisLog, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore, subscribe } from '@sluice/fastify';
import { createApp } from './app.js';

/** @import { Duration } from '@sluice/fastify' */

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
 * @param {import('fastify').FastifyInstance} app
 */
async function stop(app) {
  // Those in use are closed after their answer, and not as usual when nobody has used them for over a minute.
  app.server.keepAliveTimeout = 1;
  await app.close();
}
